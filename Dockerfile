# The container of Allowance. Nothing in it is written at run time but /data, so it works with a read-only root:
#   docker build --tag allowance .
#   docker run --read-only --tmpfs /tmp --init --publish 127.0.0.1:3000:3000 --volume allowance:/data allowance
# With DATABASE_URL and AUTH_SECRET it keeps nothing in /data. `docker exec … allowance --help` lists the commands.

FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --include=dev --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:24-bookworm-slim
# A server that installs nothing needs no npm. The user `node`, 1000, comes with the image.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn-* /usr/local/bin/yarn /usr/local/bin/yarnpkg
RUN mkdir /data && chown 1000:1000 /data
RUN ln -s /allowance/allowance.mjs /usr/local/bin/allowance
COPY --from=build /build/dist /allowance
ENV DATA_DIR=/data
WORKDIR /data
VOLUME /data
EXPOSE 3000
# By number, so that Kubernetes sees that it is not root. initdb wants a user that /etc/passwd knows.
USER 1000:1000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "/allowance/health.mjs"]
ENTRYPOINT ["node", "/allowance/allowance.mjs"]
CMD ["start"]
