"""The judges: what they are asked, how their replies are read, and the panel that runs them side by side."""
