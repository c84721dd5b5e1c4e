"""Search methods beside Algorithm 1: controls and peers, one file each, all by ask and tell."""
