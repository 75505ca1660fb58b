"""Intake: files of benchmark tools and published figures, written as campaigns. Never part of a build."""
