"""`python -m thinktime`: the command line without its installed script."""

from thinktime.cli import main

if __name__ == "__main__":
    main()
