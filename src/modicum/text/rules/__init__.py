"""Compares instructions: what contradicts, repeats or says nothing, and what names things that are not there."""
