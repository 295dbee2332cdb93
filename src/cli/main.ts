#!/usr/bin/env node
/*
 * Starts the program, or says which Node.js it needs. Nothing that an older one does not know may be loaded before that:
 * no flags either, which it would refuse by itself.
 */
import { NEEDED_MAJOR } from './needed-node.ts';

if (Number(process.versions.node.split('.')[0]) < NEEDED_MAJOR) {
  process.stderr.write(
    `Parley needs Node.js ${NEEDED_MAJOR}, this is ${process.version}. Install Node.js ${NEEDED_MAJOR}, and start again.\n`,
  );
  process.exit(1);
}

// Node calls its SQLite experimental. Its own listener prints warnings.
const [show] = process.listeners('warning');
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  if (show && warning.name !== 'ExperimentalWarning') show(warning);
});
void import('./program.ts').then(({ runProgram }) => runProgram());
