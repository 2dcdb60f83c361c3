"""The Streamlit page; holds no rules and no image processing."""
