"""Protocols: messages to bots and answers from them, without input or output."""
