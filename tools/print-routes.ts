import { print } from '../src/process/printable.ts';
import { runInTerminal } from '../src/process/terminal.ts';
import { allRoutes, columns } from './routes.ts';

/* Prints every route: method, path, access, file and summary. */
await runInTerminal(async () => print(columns(await allRoutes())));
