"""Language: what written words state, whoever wrote them: numerals, speeds, ratios, claims of equal outputs, tables."""
