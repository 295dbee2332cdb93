import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { baseUrlOf } from '../../src/process/base-url.ts';
import { ConfigError, readConfig } from '../../src/process/config.ts';
import { readSettingsFile } from '../../src/process/settings-file.ts';
import { runCommand } from '../support/command.ts';
import { newFolder } from '../support/folder.ts';
import { freePort, startPlatform } from '../support/process.ts';

let folder: string;
let data: string;

beforeEach(() => {
  folder = newFolder();
  data = join(folder, 'data');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs one command. @param input its standard input */
const parley = (args: string[], settings: NodeJS.ProcessEnv = {}, input = '') =>
  runCommand(args, { cwd: folder, environment: { DATA_DIR: data, ...settings }, input });

const serve = async (settings: NodeJS.ProcessEnv = {}) =>
  startPlatform({ DATA_DIR: data, PORT: String(await freePort()), ...settings });

describe('a setting that cannot work is refused with one sentence', () => {
  it.each([
    [{ DATA_DIR: '/proc/parley/data', PORT: '0' }, 'DATA_DIR "/proc/parley/data" cannot be used'],
    [{ HOST: 'no-such-host.invalid', PORT: '0' }, 'HOST must be a name or an address of this machine'],
    [{ HOST: 'ff02::1', PORT: '0' }, 'HOST must be a name or an address of this machine'],
    [{ HOST: '192.0.2.1', PORT: '0' }, 'HOST must be a name or an address of this machine'],
    [
      { DATABASE_URL: 'postgres://x:y@127.0.0.1:1/z' },
      'The database of DATABASE_URL cannot be used: connect',
    ],
    [{ DATABASE_URL: 'postgres://x:y@no-such-host.invalid/z' }, 'Check its address, user and password'],
    [
      { DATABASE_URL: 'postgres://x:y@/z?host=/no/such/folder' },
      'The database of DATABASE_URL cannot be used',
    ],
    [{ DATABASE_URL: 'postgres://x:se/cret@localhost/z' }, 'DATABASE_URL is not a valid address.'],
  ])('%j', async (wrong, sentence) => {
    const { code, output } = await parley(['start'], { LOG_LEVEL: 'silent', ...wrong });
    expect([code, output.includes(sentence), output]).toEqual([1, true, output]);
    expect(output).not.toContain('    at ');
    expect(output).not.toContain('cret');
  });

  it.each(['', 'files', 'files/copy'])(
    'COPY_TO that would mix its files with the uploads: %j',
    async (below) => {
      const { code, output } = await parley(['start'], { LOG_LEVEL: 'silent', COPY_TO: join(data, below) });
      expect([code, output]).toEqual([
        1,
        expect.stringMatching(/^COPY_TO "\S+" would be among the uploads: .+\n$/m),
      ]);
      expect(existsSync(join(data, 'parley.db'))).toBe(false);
    },
  );

  it('a mail server that is away is warned of, and the server starts', async () => {
    const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'parley@example.org', LOG_LEVEL: 'warn' };
    const platform = await serve(mail);
    await platform.written(/The mail server of SMTP_URL cannot be used/);
    expect(await platform.end('SIGTERM')).toBe(0);
  });

  it('a data folder that is a file, a database file that is not a database', async () => {
    writeFileSync(data, 'not a folder');
    const file = await parley(['start'], { LOG_LEVEL: 'silent' });
    expect([file.code, file.output]).toEqual([
      1,
      expect.stringContaining('cannot be used as the data folder'),
    ]);
    rmSync(data);
    mkdirSync(data);
    writeFileSync(join(data, 'parley.db'), 'not a database'.repeat(1000));
    const database = await parley(['start'], { LOG_LEVEL: 'silent' });
    expect([database.code, database.output]).toEqual([
      1,
      expect.stringContaining('Is it a database of Parley'),
    ]);
    for (const { output } of [file, database]) expect(output).not.toContain('    at ');
  });

  it('an unknown command, and an address before a password', async () => {
    expect(await parley(['nonsense'])).toEqual({
      code: 1,
      output: expect.stringMatching(/^Unknown command: nonsense\. There are: start, /),
    });
    expect((await parley(['a\u001b[2Jb'])).output).toMatch(/^Unknown command: a \[2Jb\./);
    const bad = await parley(['user', 'create', 'bad'], {}, 'short');
    expect([bad.code, bad.output]).toEqual([1, expect.stringMatching(/^email: .*\n$/)]);
    expect(bad.output).not.toContain('A password has');
  });

  it('a name that is too long', async () => {
    const { code, output } = await parley(['backup', `${'x'.repeat(300)}.zip`]);
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^ENAMETOOLONG: .+ Choose a shorter name\.\n$/),
    ]);
  });

  it('none: the version needs neither settings nor a database', async () => {
    const nowhere = { DATABASE_URL: 'mysql://x', PORT: 'abc', DATA_DIR: '/proc/nowhere' };
    for (const option of ['--version', '-V'])
      expect(await parley([option], nowhere)).toEqual({
        code: 0,
        output: expect.stringMatching(/^\d+\.\d+\.\d+\nschema \d{4}-[a-z-]+\n$/),
      });
  });
});

const S3 = {
  S3_ENDPOINT: 'https://s3.example.org',
  S3_BUCKET: 'files',
  S3_ACCESS_KEY: 'access',
  S3_SECRET_KEY: 'secret',
};

describe('settings', () => {
  it.each([
    [{ PORT: 'abc' }, 'PORT "abc" must be a whole number from 0 to 65535.'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL "loud" must be one of'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must begin with postgres://'],
    [{ DATABASE_URL: 'postgres://one:1,two:x/z' }, 'Several servers are separated by commas'],
    [{ DATABASE_URL: 'postgres://x:hidden@one/o%FFne' }, 'DATABASE_URL is not a valid address.'],
    [{ DATABASE_URL: 'postgres://x:100%hidden@one/z' }, '% as %25'],
    [{ DATABASE_URL: 'postgres://one,,two/z' }, 'DATABASE_URL is not a valid address.'],
    [{ DATABASE_URL: 'postgres://x,/z' }, 'DATABASE_URL is not a valid address.'],
    [
      { DATABASE_URL: 'postgres://one,two/z?target_session_attrs=any' },
      'target_session_attrs of DATABASE_URL must be read-write',
    ],
    [
      { DATABASE_URL: 'postgres://x', DATABASE_REPLICA_URL: 'postgres://y,z/n' },
      'DATABASE_REPLICA_URL must lead to one server',
    ],
    [{ DATABASE_LISTEN_URL: 'mysql://x' }, 'DATABASE_LISTEN_URL must begin with postgres://'],
    [{ DATABASE_LISTEN_URL: 'postgres://x' }, 'DATABASE_LISTEN_URL needs DATABASE_URL'],
    [
      { PROCESSES: '2' },
      'PROCESSES=2 needs PostgreSQL (DATABASE_URL): the embedded database is written by one',
    ],
    [{ PROCESSES: 'many' }, 'PROCESSES "many" must be auto, or a whole number from 1 to 32'],
    [{ DATABASE_REPLICA_URL: 'postgres://x' }, 'DATABASE_REPLICA_URL needs DATABASE_URL'],
    [{ DATABASE_URL: 'postgres://x', DATABASE_REPLICA_URL: 'postgres://x:y' }, 'DATABASE_REPLICA_URL is not'],
    [{ BASE_URL: 'https://example.org/path' }, 'without a path'],
    [{ S3_BUCKET: 'files', S3_ACCESS_KEY: 'a' }, 'S3_ENDPOINT, S3_SECRET_KEY must be set too'],
    [{ ...S3, S3_ENDPOINT: 'https://example.org/files' }, 'without a path'],
    [{ ...S3, S3_ENDPOINT: 's3://example.org' }, 'S3_ENDPOINT "s3://example.org" must be like https://'],
    [{ ...S3, S3_BUCKET: 'No/Bucket' }, 'S3_BUCKET "No/Bucket" is not a valid bucket name'],
    [{ ...S3, S3_ADDRESSING: 'both' }, 'S3_ADDRESSING "both" must be one of path, host'],
    [{ ENCRYPTION_KEY: 'c2hvcnQ=' }, 'ENCRYPTION_KEY must be 32 bytes'],
    [{ ALLOW_LOOPBACK_APPS: 'yes', HOST: '0.0.0.0', BASE_URL: 'https://example.org' }, 'ALLOW_LOOPBACK_APPS'],
    [{ ALLOW_LOOPBACK_APPS: 'yes', HOST: '0.0.0.0' }, 'listen on a loopback HOST'],
    [{ DATABASE_LOCK_TIMEOUT: '15' }, 'DATABASE_LOCK_TIMEOUT must be below DATABASE_STATEMENT_TIMEOUT'],
    [{ TRUST_PROXY: 'nginx' }, 'TRUST_PROXY "nginx" must be no, yes, the number of proxies'],
    [{ AUDIT_RETENTION: '12h' }, 'must be 0 to 36500 days, as a number, or with a unit, as 48h, 30d or 2w'],
    [{ METRICS_TOKEN: 'two words' }, 'METRICS_TOKEN must be of ASCII letters'],
    [{ METRICS_TOKEN: 'schlüssel' }, 'METRICS_TOKEN must be of ASCII letters'],
    [{ BASE_URL: 'https://x?' }, 'BASE_URL "https://x?" must be like'],
    [{ BASE_URL: 'https://x#' }, 'BASE_URL "https://x#" must be like'],
    [{ BASE_URL: 'https://x\ny' }, 'must be one line without control characters'],
    [{ BASE_URL: '"https://x"' }, 'is in quotes, which count here'],
    [{ S3_SECRET_KEY: 'a\rb' }, 'S3_SECRET_KEY must be one line'],
    [{ S3_ACCESS_KEY: "'hidden'" }, 'S3_ACCESS_KEY is in quotes'],
    [{ COPY_S3_ACCESS_KEY: 'schlüssel' }, 'COPY_S3_ACCESS_KEY must be of ASCII letters'],
    [{ SMTP_URL: 'smtp://a:b@c\r\nd' }, 'SMTP_URL must be one line'],
    [{ BASE_URL: 'https:x' }, 'BASE_URL "https:x" must be like'],
    [{ BASE_URL: 'https://:hidden@x' }, 'BASE_URL must be like'],
    [{ ...S3, S3_ENDPOINT: 'https://a:hidden@x' }, 'S3_ENDPOINT must be like'],
    [{ SESSION_LIFETIME: '1month' }, 'SESSION_LIFETIME "1month" must be'],
  ])('%j is refused with a sentence', (wrong, sentence) => {
    const read = () => readConfig(wrong, '');
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(sentence);
    expect(read).not.toThrow('hidden');
  });

  it('that are refused stop the start with the sentence alone', async () => {
    const { code, output } = await parley(['start'], { PORT: 'abc' });
    expect([code, output]).toEqual([1, expect.stringMatching(/^PORT "abc" must be .+\n$/)]);
  });

  it('come from a file, which the environment overrules', async () => {
    writeFileSync(join(folder, '.env'), 'PORT=70000\n');
    expect((await parley(['start'])).output).toContain('PORT "70000"');
    expect((await parley(['start'], { PORT: 'x' })).output).toContain('PORT "x"');
  });

  it.each<[string, string | Buffer, string]>([
    ['in UTF-16', Buffer.from('\ufeffPORT=1', 'utf16le'), 'is not in UTF-8'],
    ['in UTF-16 without a mark', Buffer.from('PORT=1', 'utf16le'), 'is not in UTF-8'],
    ['in Latin-1', Buffer.from('MAIL_FROM=M\u00fcller <a@example.org>', 'latin1'), 'is not in UTF-8'],
    ['with a colon', '\nDATABASE_URL: postgres://a:hidden@b/c?d=e', 'Line 2 of'],
    ['with a colon alone', 'DATABASE_URL:postgres://a:hidden@b/c?d=e', 'Line 1 of'],
    ['with a blank', '# one\r\n\r\nDATABASE_URL postgres://a:hidden@b/c', 'Line 3 of'],
    ['with a #', 'METRICS_TOKEN=hidden#hidden # a comment', 'Line 1 of the settings file'],
    ['with a # in front', 'METRICS_TOKEN=#hidden', 'put the value in quotes'],
    ['with an open quote', 'PORT=1\nMETRICS_TOKEN="hidden\nHOST=x\n', 'Line 2 of'],
    ['that goes on after a quote', 'METRICS_TOKEN="hid"den"', 'goes on after its closing quote'],
  ])(
    'in a file %s are refused without their value (claim: settings-file)',
    async (_what, content, sentence) => {
      writeFileSync(join(folder, '.env'), content);
      for (const command of [['start'], ['user', 'list']]) {
        const { code, output } = await parley(command);
        expect([code, output]).toEqual([1, expect.stringMatching(/^[^\n]+\.\n$/)]);
        expect(output).toContain(sentence);
        expect(output).not.toContain('hid');
      }
    },
  );

  it('are the same with white space at their ends, as a secret that comes from a file has it', () => {
    const given = {
      BASE_URL: 'https://parley.example.org',
      SMTP_URL: 'smtp://a:b@mail.example.org',
      MAIL_FROM: 'Parley <parley@example.org>',
      METRICS_TOKEN: 'token',
      ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      DATABASE_URL: 'postgres://x:y@localhost/z',
      ...{
        S3_ENDPOINT: 'https://s3.example.org',
        S3_BUCKET: 'files',
        S3_ACCESS_KEY: 'key',
        S3_SECRET_KEY: 'secret',
      },
      PORT: '3001',
      SESSION_LIFETIME: '30d',
      SECURITY_CONTACT: 'mailto:security@example.org',
    };
    const spaced = Object.entries(given).map(([name, value]) => [name, ` ${value} \r\n`]);
    expect(readConfig(Object.fromEntries(spaced), undefined)).toEqual(readConfig(given, undefined));
    expect(readConfig({ S3_BUCKET: ' \n' }, undefined).S3_BUCKET).toBeUndefined();
  });

  it('in a file are read as the documents say', () => {
    const file = join(folder, '.env');
    writeFileSync(
      file,
      Buffer.from(
        '\ufeffPORT=1 # one\r\n\r\n  export HOST = a b \r\nMETRICS_TOKEN="a#b" # c\nS3_BUCKET=\nS3_REGION= # x\n' +
          'COPY_TO=\'a\\n#\'\nBACKUP_DIR=`a\nb`\nDATA_DIR="a\\nb"\nother.name-x=1',
      ),
    );
    expect(readSettingsFile(file)).toEqual({
      PORT: '1',
      HOST: 'a b',
      METRICS_TOKEN: 'a#b',
      S3_BUCKET: '',
      S3_REGION: '',
      COPY_TO: 'a\\n#',
      BACKUP_DIR: 'a\nb',
      DATA_DIR: 'a\nb',
      'other.name-x': '1',
    });
    expect(readSettingsFile(join(folder, 'none'))).toEqual({});
  });

  it('that are probably mistakes cause a warning (claim: settings-warnings)', async () => {
    const names = ['PORTT=1', 'NODE_ENV=production', 'MAIL_FROM=parley@example.org'];
    writeFileSync(join(folder, '.env'), [...names, 'PORT=x', ''].join('\n'));
    const config = readConfig({ PORT: '0', BASE_URL: 'https://chat.example.org' }, join(folder, '.env'));
    expect(config.warnings).toEqual([
      'PORTT in the settings file is no setting, and was ignored. Is PORT meant?',
      expect.stringContaining('MAIL_FROM is set without SMTP_URL'),
      expect.stringContaining('TRUST_PROXY is not set'),
    ]);
    writeFileSync(join(folder, '.env'), names.join('\n'));
    const { output } = await parley(['start'], { DATA_DIR: join(folder, '.env') });
    expect(output).toContain('Warning: PORTT in the settings file is no setting');
    expect(output).not.toContain('NODE_ENV');
  });

  it('links begin with an address that others reach, or a warning says that they may not', () => {
    const given = (settings: NodeJS.ProcessEnv) => readConfig({ PORT: '3000', ...settings }, undefined);
    const local = given({});
    expect([baseUrlOf(local), local.warnings]).toEqual(['http://localhost:3000', []]);
    for (const [HOST, host] of [
      ['192.0.2.7', '192.0.2.7'],
      ['fd00::7', '[fd00::7]'],
      ['chat.example.org', 'chat.example.org'],
    ] as const) {
      const config = given({ HOST });
      expect(baseUrlOf(config)).toBe(`http://${host}:3000`);
      expect(config.warnings).toEqual([expect.stringContaining('Set BASE_URL')]);
    }
    const outer = Object.values(networkInterfaces()).some((all) => all?.some(({ internal }) => !internal));
    for (const HOST of ['0.0.0.0', '::'])
      expect(baseUrlOf(given({ HOST })).includes('localhost')).toBe(!outer);
    const proxied = given({ TRUST_PROXY: 'yes' });
    expect(proxied.warnings).toEqual([expect.stringContaining('Set BASE_URL')]);
    const named = given({ HOST: '0.0.0.0', BASE_URL: 'https://chat.example.org/' });
    expect([baseUrlOf(named), named.warnings]).toEqual(['https://chat.example.org', []]);
  });

  it('that last take units (claim: units)', () => {
    const config = readConfig({ SESSION_LIFETIME: '30d', AUDIT_RETENTION: '2w', CODE_LIFETIME: '90' }, '');
    expect(config).toMatchObject({ SESSION_LIFETIME: 2_592_000, AUDIT_RETENTION: 14, CODE_LIFETIME: 90 });
    expect(
      readConfig({ DATABASE_CONNECT_TIMEOUT: '2m', DATABASE_STATEMENT_TIMEOUT: '20s' }, ''),
    ).toMatchObject({
      DATABASE_CONNECT_TIMEOUT: 120,
      DATABASE_STATEMENT_TIMEOUT: 20,
    });
    expect(readConfig({ DATABASE_LOCK_TIMEOUT: '4', DATABASE_IDLE_TIMEOUT: '1m' }, '')).toMatchObject({
      DATABASE_LOCK_TIMEOUT: 4,
      DATABASE_IDLE_TIMEOUT: 60,
    });
  });

  it('keys are created readable by their owner alone, a taken port is reported', async () => {
    const platform = await serve();
    for (const name of ['encryption.key', 'cookie.key']) {
      expect(statSync(join(data, name)).mode & 0o777).toBe(0o600);
    }
    const taken = await parley(['start'], {
      HOST: '127.0.0.1',
      PORT: new URL(platform.found).port,
      LOG_LEVEL: 'silent',
    });
    expect(taken.code).toBe(1);
    expect(taken.output).toContain('Another program uses this port');
    await platform.end('SIGTERM');
  });
});
