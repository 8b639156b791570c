"""Orders to a model in foreign text, such as to ignore its instructions: their phrases, and how they are quoted."""
