# Every word that a contributor needs. PYTHON=… chooses another interpreter.
PYTHON ?= python

.PHONY: help check site test golden

help:    ## this list
	@grep -E '^[a-z]+: *##' Makefile | sed 's/: *##/:/'

check:   ## checks content and evidence; writes nothing
	$(PYTHON) build.py check
	$(PYTHON) build.py verify-record

site:    ## builds the site into site/
	$(PYTHON) build.py

test:    ## all tests, with types and style
	$(PYTHON) -m pytest

golden:  ## writes the expected messages of the tests anew; read the difference before you commit it
	PROOFPRESS_GOLDEN=1 $(PYTHON) -m pytest -q tests/test_rule.py tests/test_hostile.py
	$(PYTHON) tests/test_source.py
