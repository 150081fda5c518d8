from hypothesis import settings

settings.register_profile("untimed", deadline=None)  # tests never time anything
settings.load_profile("untimed")
