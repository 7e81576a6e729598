"""Figures of users: sessions, think times, replays with feedback."""
