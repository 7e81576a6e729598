"""What happens inside a job: its loop of tasks on its cores, and the techniques that cut the loop into chunks."""

from reference.applications.play import Event, play
from reference.applications.technique import Facts, Technique
from reference.applications.techniques import TECHNIQUES, chunk_sequence, make

__all__ = ["TECHNIQUES", "Event", "Facts", "Technique", "chunk_sequence", "make", "play"]
