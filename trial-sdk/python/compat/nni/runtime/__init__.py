"""``nni.runtime``: what advisors of one's own are made of."""
