import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { NEEDED_MAJOR } from '../../src/cli/needed-node.ts';
import { SOURCE_COMMANDS } from '../../src/cli/sources.ts';
import { environmentExample, readConfig } from '../../src/process/config.ts';
import { newFolder } from '../support/folder.ts';
import { root, startProgram } from '../support/process.ts';

/** Compares the values in `deploy/` with those of the server. */
const deploy = join(root, 'deploy');
const files = readdirSync(deploy, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));
const read = (file: string) => readFileSync(join(deploy, file), 'utf8');
const bootstrap = readFileSync(join(root, 'bootstrap.cjs'), 'utf8');

const dockerfile = read('docker/Dockerfile');
const service = read('systemd/parley.service');
const backup = read('systemd/parley-backup.service');
const deployment = read('kubernetes/deployment.yaml');
const nginx = read('proxy/nginx.conf');
const caddy = read('proxy/Caddyfile');
const composeFiles = {
  'compose.yaml': read('docker/compose.yaml'),
  'compose.postgres.yaml': read('docker/compose.postgres.yaml'),
};

const defaults = readConfig({}, '');
const settings = new Set(
  [...environmentExample().matchAll(/^#([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name),
);

/** All that the pattern's group finds; something must be found. */
function every(text: string, pattern: RegExp): string[] {
  const found = [...text.matchAll(new RegExp(pattern, 'gm'))].map(([, group]) => group ?? '');
  if (found.length === 0) throw new Error(`Nothing fits ${pattern}`);
  return found;
}

function only(text: string, pattern: RegExp): string {
  const found = [...new Set(every(text, pattern))];
  if (found.length !== 1) throw new Error(`${pattern} fits ${found.join(', ')}`);
  return found[0] as string;
}

/** The part of a Compose file below `  name:`. */
function serviceOf(compose: string, name: string): string {
  return only(compose, new RegExp(`^ {2}${name}:\\n((?:(?: {4}.*)?\\n)+)`));
}

/** The flags and variables that a program started by `bootstrap.cjs` gets. */
const flags = every(only(bootstrap, /^const FLAGS = \[(.*)\]/), /'([^']+)'/);
const threads = only(bootstrap, /UV_THREADPOOL_SIZE: '(\d+)'/);

describe('settings', () => {
  /** Variables of Node, and of the backup's own script. */
  const OTHERS = ['NODE_ENV', 'UV_THREADPOOL_SIZE', 'BACKUPS', 'KEPT_DAYS'];
  const image = every(only(dockerfile, /^ENV ((?:.*\\\n)*.*)/), /([A-Z][A-Z0-9_]*)=/);
  const units = [service, backup].flatMap((unit) =>
    every(only(unit, /^Environment=(.*)/), /([A-Z][A-Z0-9_]*)=/),
  );
  const kustomization = every(read('kubernetes/kustomization.yaml'), /^ {6}- ([A-Z][A-Z0-9_]*)=/);
  const secret = every(only(deployment, /# (.*)\n\s+- secretRef/), /([A-Z][A-Z0-9_]*)/);
  it.each([
    ['the image', image],
    ['the units', units],
    [
      'Compose',
      every(serviceOf(composeFiles['compose.postgres.yaml'], 'parley'), /^ {6}([A-Z][A-Z0-9_]*): /),
    ],
    ['parley.env', every(read('docker/parley.env.example'), /^([A-Z][A-Z0-9_]*)=/)],
    ['Kubernetes', [...kustomization, ...secret]],
  ])('of %s are settings of Parley', (_where, names) => {
    expect(names.filter((name) => !settings.has(name) && !OTHERS.includes(name))).toEqual([]);
  });

  it('that the Compose file asks for are in its example', () => {
    const asked = every(composeFiles['compose.postgres.yaml'], /\$\{([A-Z0-9_]+):\?is missing in \.env\}/);
    expect(new Set(every(read('docker/.env.example'), /^([A-Z][A-Z0-9_]*)=/))).toEqual(new Set(asked));
  });

  it('go well together, with what an operator fills in', () => {
    const given = Object.fromEntries(
      [...read('docker/parley.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [
        name,
        value,
      ]),
    );
    expect(readConfig({ ...given, HOST: '0.0.0.0' }, '').warnings).toEqual([]);
  });
});

it('no file holds a password', () => {
  const secrets = files.flatMap((file) =>
    [
      ...readFileSync(file, 'utf8')
        .replaceAll(':?is missing in .env}', '}')
        .matchAll(
          /\b\w*(?:PASSWORD|SECRET|TOKEN|_KEY|_PASS)\w*["']?(?:=|: )["']?([^\s"']+)|:\/\/[^\s/:@]+:([^\s@/]+)@/g,
        ),
    ].map(([, value, inAddress]) => value ?? inAddress),
  );
  expect(secrets.length).toBeGreaterThan(5);
  expect(secrets.filter((value) => !/^\$\{[A-Z0-9_]+\}$/.test(value ?? ''))).toEqual([]);
});

it('every form waits until what is under way has ended', () => {
  const preStop = Number(only(deployment, /setTimeout\(\(\) => \{\}, ([\d_]+)\)/).replaceAll('_', '')) / 1000;
  const given = [
    Number(only(service, /^TimeoutStopSec=(\d+)$/)),
    Number(only(deployment, /terminationGracePeriodSeconds: (\d+)/)) - preStop,
    ...Object.values(composeFiles).map((text) =>
      Number(only(serviceOf(text, 'parley'), /stop_grace_period: (\d+)s/)),
    ),
  ];
  expect(new Set(given).size).toBe(1);
  expect(given[0]).toBeGreaterThan(defaults.REQUEST_TIMEOUT + defaults.CALLBACK_TIMEOUT);
});

it('proxies let uploads pass that the server takes, and little more', () => {
  const mebibytes = [
    only(nginx, /client_max_body_size (\d+)m;/),
    only(caddy, /max_size (\d+)MiB/),
    only(read('kubernetes/ingress.yaml'), /proxy-body-size: (\d+)m/),
  ];
  const room = mebibytes.map((size) => Number(size) * 1_048_576 - defaults.MAX_UPLOAD_BYTES);
  for (const bytes of room) {
    expect(bytes).toBeGreaterThan(65_536);
    expect(bytes).toBeLessThanOrEqual(1_048_576);
  }
});

it('proxies append to X-Forwarded-For, and hold back no event', () => {
  expect(nginx).toContain('proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;');
  expect(nginx).toContain('proxy_buffering off;');
  expect(caddy).toContain('flush_interval -1');
  expect(read('kubernetes/ingress.yaml')).toContain("proxy-buffering: 'off'");
});

it('the ports agree', () => {
  const ports = [
    only(dockerfile, /PORT=(\d+)/),
    only(dockerfile, /^EXPOSE (\d+)/),
    only(composeFiles['compose.yaml'], /127\.0\.0\.1:\d+:(\d+)/),
    only(composeFiles['compose.postgres.yaml'], /PARLEY_UPSTREAM: parley:(\d+)/),
    only(deployment, /name: http\n\s+containerPort: (\d+)/),
    only(nginx, /server 127\.0\.0\.1:(\d+);/),
    only(caddy, /PARLEY_UPSTREAM:127\.0\.0\.1:(\d+)/),
  ];
  expect(new Set(ports)).toEqual(new Set([String(defaults.PORT)]));
  expect(new Set(every(deployment, /^\s+port: (\w+)/))).toEqual(new Set(['http']));
  expect(only(read('kubernetes/service.yaml'), /targetPort: (\w+)/)).toBe('http');
});

it('the budget of disruptions means the pods of the deployment', () => {
  const label = only(read('kubernetes/kustomization.yaml'), /pairs:\n\s+(\S+: \S+)\n/);
  expect(only(read('kubernetes/disruption.yaml'), /selector:\n\s+matchLabels:\n\s+(\S+: \S+)\n/)).toBe(label);
});

it('the image and the unit start the server as bootstrap.cjs does', () => {
  const entry = JSON.parse(only(dockerfile, /^ENTRYPOINT (.*)$/)) as string[];
  expect(entry).toEqual(['node', ...flags, '/app/build/server/main.js']);
  expect(only(service, /^ExecStart=(.*)$/)).toBe(
    `/usr/bin/node ${flags.join(' ')} /opt/parley/build/server/main.js start`,
  );
  expect(only(dockerfile, /UV_THREADPOOL_SIZE=(\d+)/)).toBe(threads);
  expect(only(service, /UV_THREADPOOL_SIZE=(\d+)/)).toBe(threads);
});

describe('the folder of assemble.cjs', () => {
  const folder = newFolder();
  const app = join(folder, 'app');
  const program = join(app, 'build/server/main.js');
  const assemble = (target: string) =>
    spawnSync(process.execPath, [join(deploy, 'assemble.cjs'), target], { encoding: 'utf8' });
  beforeAll(() => {
    const { status, stderr } = assemble(app);
    expect(status, stderr).toBe(0);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['the program', program],
    ['bootstrap.cjs', join(root, 'bootstrap.cjs')],
  ])('an older Node.js gets one sentence from %s', (_which, file) => {
    const older = join(folder, 'older.cjs');
    writeFileSync(
      older,
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '12.22.9' } });",
    );
    const { status, stderr } = spawnSync(process.execPath, ['--require', older, file], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^Parley needs Node\.js 24, this is .*\n$/)]);
    // What an older one does not know may stand nowhere in the file.
    expect(readFileSync(file, 'utf8')).not.toMatch(/\?\.[^\d]|\?\?|\d_\d|^import .* from|^\s*await /m);
  });

  it('every file names the same Node.js', () => {
    const needed = String(NEEDED_MAJOR);
    expect(only(bootstrap, /^const NEEDED_MAJOR = (\d+);/)).toBe(needed);
    expect(only(dockerfile, /^FROM node:(\d+)/)).toBe(needed);
    const runtime = JSON.parse(readFileSync(join(root, 'runtime/package.json'), 'utf8'));
    for (const version of Object.values(runtime.optionalDependencies))
      expect(String(version).split('.')[0]).toBe(needed);
  });

  it('has every package that the bundle loads from outside, and nothing to build with', () => {
    const config = readFileSync(join(root, 'server.vite.config.ts'), 'utf8');
    const unbundled = every(only(config, /^const UNBUNDLED = \[(.*)\]/), /'([^']+)'/);
    expect(unbundled.length).toBeGreaterThan(0);
    const load = `Promise.all(${JSON.stringify(unbundled)}.map((name) => import(name))).then(() => console.log('loaded'))`;
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', load], { cwd: app, encoding: 'utf8' });
    expect(stdout, stderr).toBe('loaded\n');
    for (const name of ['vite', 'react', 'typescript'])
      expect(existsSync(join(app, 'node_modules', name))).toBe(false);
  });

  it('serves alone: probes, pages, an account, a backup; and ends in order', async () => {
    const data = join(folder, 'data');
    const environment = { DATA_DIR: data, PORT: '0', HOST: 'localhost' };
    const server = await startProgram([...flags, program, 'start'], environment, /ready at (http:\S+)/);
    onTestFinished(() => void server.child.kill('SIGKILL'));
    const probes = [
      ...every(deployment, /path: (\S+)/),
      only(dockerfile, /\$\{process\.env\.PORT\}(\/\w+)`/),
    ];
    expect(new Set(probes)).toEqual(new Set(['/healthz', '/readyz']));
    for (const path of [
      ...probes,
      '/docs/',
      '/docs/guides/events',
      '/docs/parley-sdk.tgz',
      '/docs/parley.py',
    ])
      expect((await fetch(server.found + path)).status).toBe(200);
    const page = await fetch(server.found, { headers: { Accept: 'text/html' } });
    expect(await page.text()).toContain('<script');
    const account = await fetch(`${server.found}/v1/users`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        email: 'ada@example.org',
        password: 'a long password',
        first_name: 'Ada',
        last_name: 'L',
      }),
    });
    expect(account.status).toBe(200);
    const form = new FormData();
    form.set('file', new Blob(['kept']), 'kept.txt');
    const upload = await fetch(`${server.found}/v1/attachments`, {
      method: 'POST',
      headers: { Cookie: String(account.headers.getSetCookie()[0]).replace(/;.*/, ''), Origin: server.found },
      body: form,
    });
    expect(upload.status).toBe(200);

    const command = JSON.parse(only(dockerfile, /^ {2}CMD (\[.*\])$/)) as string[];
    const health = (port: string) =>
      spawnSync(process.execPath, command.slice(1), { env: { PORT: port }, encoding: 'utf8' }).status;
    const { port } = new URL(server.found);
    // The check asks 127.0.0.1, as in a container that listens on every interface.
    expect(command[0]).toBe('node');
    expect(health('1')).toBe(1);

    if (process.platform === 'linux') {
      expect(health(port)).toBe(0);
      const backups = join(folder, 'backups');
      // Those of the nights before a "keys rotate" that was killed.
      mkdirSync(backups);
      writeFileSync(join(backups, 'encryption.key'), 'former', { mode: 0o600 });
      writeFileSync(join(data, 'encryption.key.next'), 'next', { mode: 0o600 });
      const script = spawnSync('sh', [join(deploy, 'systemd/parley-backup.sh')], {
        env: {
          PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
          DATA_DIR: data,
          BACKUPS: backups,
          KEPT_DAYS: only(backup, /KEPT_DAYS=(\d+)/),
          PROGRAM: program,
        },
        encoding: 'utf8',
      });
      // Neither the command nor its threads warn of SQLite.
      expect([script.status, script.stderr]).toEqual([0, '']);
      const kept = readdirSync(backups);
      expect(kept).toEqual(
        expect.arrayContaining([
          'encryption.key',
          'encryption.key.next',
          'files',
          expect.stringMatching(/^parley-\d{8}T\d{6}Z\.db$/),
        ]),
      );
      const formerKeys = kept.filter((name) => name.startsWith('encryption.key.until-'));
      expect(formerKeys.map((name) => readFileSync(join(backups, name), 'utf8'))).toEqual(['former']);
      const uploads = readdirSync(join(backups, 'files'), { recursive: true, withFileTypes: true });
      const texts = uploads
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
      expect(texts).toEqual(['kept']);
      for (const name of kept) expect(statSync(join(backups, name)).mode & 0o077, name).toBe(0);
    }
    expect(await server.end('SIGTERM')).toBe(0);
  });

  it.runIf(process.platform !== 'win32')('takes commands as the unit runs the server', () => {
    const bin = newFolder();
    const fake = join(bin, 'systemd-run');
    writeFileSync(fake, '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
    const given = ['user', 'create', 'a b@example.org', '--superuser'];
    const { stdout, status } = spawnSync('sh', [join(deploy, 'systemd/parley.sh'), ...given], {
      env: { PATH: `${bin}:${process.env.PATH}` },
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    const passed = stdout.trimEnd().split('\n');
    expect(passed.slice(-given.length)).toEqual(given);
    const propertyOf = (name: string) =>
      passed.flatMap((one) =>
        one.startsWith(`--property=${name}=`) ? [one.split('=').slice(2).join('=')] : [],
      );
    for (const name of ['User', 'Group', 'WorkingDirectory', 'EnvironmentFile', 'UMask'])
      expect(propertyOf(name), name).toEqual([only(service, new RegExp(`^${name}=(.*)`))]);
    expect(propertyOf('Environment')).toEqual([only(service, /^Environment=.*(DATA_DIR=\S+)/)]);
    const program = only(service, /^ExecStart=.* (\S+main\.js) start/);
    expect(passed).toContain(program);
    expect(passed[passed.indexOf(program) - 1]).toBe(only(service, /^ExecStart=(\S+)/));
  });

  it('lacks the commands that need the sources, and says so of each in one sentence', () => {
    const ask = (name: string) =>
      spawnSync(process.execPath, [program, name], { cwd: app, encoding: 'utf8' });
    const listed = every(ask('--help').stdout, /^ {2}([a-z]+) /);
    expect(listed).toEqual(expect.arrayContaining(['start', 'doctor', 'backup']));
    expect(listed.filter((name) => SOURCE_COMMANDS.includes(name))).toEqual([]);
    for (const name of SOURCE_COMMANDS) {
      const { status, stderr } = ask(name);
      expect([status, stderr]).toEqual([1, `"${name}" needs the sources of Parley, which are not here.\n`]);
    }
  });

  it('is made in an empty folder outside of the sources only', () => {
    expect(assemble(app).stderr).toContain('is not empty');
    expect(assemble(join(root, 'src', 'inside')).stderr).toContain('outside of the sources');
    expect(existsSync(join(root, 'src', 'inside'))).toBe(false);
  });
});
