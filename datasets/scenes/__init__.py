"""Pictures of cards on tables, with their ground truth."""
