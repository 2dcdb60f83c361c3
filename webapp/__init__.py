"""The Streamlit page. Contains no rules and no image processing."""
