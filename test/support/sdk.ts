import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from './folder.ts';
import { root } from './process.ts';

const built = join(root, 'build/sdk');

/** The SDK as `npm run sdk`, and `npm test` before the tests, have packed it. */
export function sdkPackage(): string {
  const [name = ''] = readdirSync(built).filter((file) => file.endsWith('.tgz'));
  return join(built, name);
}

/** The Node.js that runs `npm`: the oldest Node.js that the SDK supports may be installed here. */
export const npmsNode = process.env.npm_node_execpath ?? process.execPath;

/** Runs npm in a folder, without the network. */
export function npm(folder: string, args: string[]): void {
  const [program, all] = npmCommand([...args, '--offline']);
  execFileSync(program, all, { cwd: folder, encoding: 'utf8' });
}

/** A program and its arguments that run npm. */
export function npmCommand(args: string[]): [string, string[]] {
  const cli = process.env.npm_execpath;
  const options = [...args, '--no-audit', '--no-fund', '--loglevel=error'];
  return cli === undefined ? ['npm', options] : [npmsNode, [cli, ...options]];
}

/** An empty project of another developer that has the SDK installed. @returns its folder */
export function newProject(): string {
  const folder = newFolder();
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  npm(folder, ['install', sdkPackage()]);
  return folder;
}

/**
 * Compiles the TypeScript files of a project, and checks those of the package, too.
 * @param compiler a package: later ones refuse settings that many projects still have
 * @returns what it complains about
 */
export function compile(folder: string, options: object, compiler = 'typescript'): string {
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023'],
    module: 'nodenext',
    strict: true,
    noUncheckedIndexedAccess: true,
    types: [],
    ...options,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  try {
    const tsc = join(root, 'node_modules', compiler, 'bin/tsc');
    return execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
