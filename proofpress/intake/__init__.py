"""Intake: files of benchmark tools and published figures, made into campaigns. Never part of a build."""
