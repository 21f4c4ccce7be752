# A server of Vademecum: docker build --tag vademecum:local .
# To pin the base by digest: --build-arg NODE_IMAGE=node:22-bookworm-slim@sha256:…
ARG NODE_IMAGE=node:22.23.3-bookworm-slim

# what runs: the packages of the lock file, their C++ compiled here and not fetched
FROM ${NODE_IMAGE} AS packages
# these compilers do not reach the image
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install --yes --no-install-recommends g++ make python3 \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/vade
COPY package.json package-lock.json .npmrc ./
# no script of a package runs but those two that compile; Node's own headers lie in /usr/local/include
RUN npm ci --omit=dev --ignore-scripts \
  && npm_config_nodedir=/usr/local npm_config_build_from_source=true npm rebuild better-sqlite3 hnswlib-node

# what is shipped: as npm pack makes it
FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json build.mjs pack.mjs ./
COPY compiler compiler
COPY server server
RUN node pack.mjs

FROM ${NODE_IMAGE}
ENV NODE_ENV=production
WORKDIR /opt/vade
COPY LICENSE package.json ./
COPY compiler/capabilities/library compiler/capabilities/library
COPY compiler/encoder/model compiler/encoder/model
COPY compiler/quality/paraphrase/lexicon.json compiler/quality/paraphrase/lexicon.json
COPY compiler/schema/json compiler/schema/json
COPY server/deploy/container.mjs server/deploy/container.mjs
COPY --from=packages /opt/vade/node_modules node_modules
COPY --from=build /src/dist dist
# audit, state and keys; the rest of the file system may be read-only
RUN install --directory --owner=node --group=node --mode=0700 /var/lib/vade
WORKDIR /var/lib/vade
VOLUME /var/lib/vade
# the user node of the base, by number, so that a host can check that it is not root
USER 1000:1000
EXPOSE 8765
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "/opt/vade/server/deploy/container.mjs", "health"]
# node is the first process, so SIGTERM reaches it
ENTRYPOINT ["node", "/opt/vade/server/deploy/container.mjs"]
CMD ["serve", "--host", "0.0.0.0", "--trust", "/etc/vade/root.json", "--bundle", "/srv/vade/bundle"]
