"""Islands: several portfolios side by side, with dice of their own and one budget, which pass on their best programs.

An *island* (`Island`) is a portfolio in its own run database. A *host* (`Host`) has some of them in a process, an
*executor* (`Executor`) has hosts somewhere and takes them through an *epoch*; `IslandSearch` leads, epoch after epoch,
with an `Archive` of what is passed on. What they say to each other is plain data (`messages`).
"""
