# The page in a container: docker build -t could-i-have-won . && docker run --rm -p 8501:8501 could-i-have-won
FROM python:3.11-slim-bookworm

# What OpenCV needs from the system.
RUN apt-get update \
    && apt-get install -y --no-install-recommends libgl1 libglib2.0-0 \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /app
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY plumbing plumbing
COPY drawing drawing
COPY solver solver
COPY vision vision
COPY webapp webapp
COPY models models
COPY datasets/samples datasets/samples
RUN pip install --no-cache-dir -c constraints.txt -e .

# Photos are not kept; the compiled kernels are, in a folder that the user of the process may write.
RUN useradd --create-home --uid 1000 player && mkdir /kernels && chown player /kernels
ENV NUMBA_CACHE_DIR=/kernels PYTHONUNBUFFERED=1
USER player
RUN python -m solver makiaveli "hand: 3S 4S 5S" && python -m vision.detect datasets/samples/makiaveli_1.jpg

EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD python -c "import urllib.request as r; r.urlopen('http://localhost:8501/_stcore/health', timeout=4)"
CMD ["python", "-m", "webapp", "--network", "--no-browser"]
