"""Where a term would belong: the direct parents of a term that a hierarchy does not have."""
