import { defineConfig } from 'vite';

/** Packages that read files beside their own, or bring a library for each system. */
const UNBUNDLED = ['@fastify/swagger-ui', '@node-rs/argon2', 'sharp'];
/** A package that is not there resolves to nothing, so it is named to the bundler itself. */
const DEVELOPMENT = ['openapi-typescript'];

/** Bundles the server with its packages: a few files are loaded in half the time of a thousand. */
export default defineConfig({
  build: {
    ssr: 'src/cli/main.ts',
    outDir: 'build/server',
    target: 'node24',
    rolldownOptions: {
      external: DEVELOPMENT,
      output: { entryFileNames: 'main.js', chunkFileNames: '[name]-[hash].js' },
    },
  },
  ssr: { noExternal: true, external: UNBUNDLED },
});
