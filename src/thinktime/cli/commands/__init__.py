"""One module or folder per command; each has a typer `app`. `thinktime.cli.app` lists them."""
