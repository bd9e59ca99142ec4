#!/usr/bin/env node
// The `muster` command line, for operators. Each command loads its code when it runs.
import type { Help } from 'commander';
import { Command, CommanderError } from 'commander';
import { callOf, readVersion } from '../platform/index.ts';
import { UsageError } from './usage-error.ts';

/** The usage first, then the options, then the text. */
const formatHelp = (command: Command, helper: Help): string => {
  const entries = [
    ...helper.visibleCommands(command).map((each) => [each.name(), each.summary()]),
    ...helper.visibleOptions(command).map((each) => [each.flags, each.description]),
  ];
  const width = Math.max(...entries.map(([term = '']) => term.length));
  const lines = entries.map(([term = '', text]) => `  ${term.padEnd(width)}  ${text}`);
  const description = command.description();
  return [
    `usage: ${command.usage()}`,
    '',
    ...lines,
    ...(description ? ['', description] : []),
    '',
  ].join('\n');
};

const createCommand = (name: string, usage: string): Command =>
  new Command(name)
    .usage(usage)
    .helpOption('--help', 'print this')
    .configureHelp({ formatHelp })
    // Errors are printed below, in one form for all commands.
    .configureOutput({ outputError: () => {} })
    .showSuggestionAfterError(false)
    .helpCommand(false)
    .exitOverride();

const serve = createCommand('serve', callOf('serve'))
  .summary('run the service (the default command)')
  .description('It migrates its database first. The settings are environment variables.')
  .action(async () => {
    await import('../main.ts');
  });

const migrate = createCommand('migrate', `DATABASE_URL=postgres://… ${callOf('migrate')}`)
  .summary('migrate the database and exit')
  .description(
    `What the service also does when it starts: for deployments in which only one job may change tables. Safe to run
twice, and at the same time as others. Exit codes: 0 up to date, 1 not, 2 wrong usage.`,
  )
  .action(async () => (await import('./migrate.ts')).runMigrate());

const doctor = createCommand('doctor', `${callOf('doctor')} [options]`)
  .summary('check the settings and their effects, and explain how to fix problems')
  .description(
    `Settings, database (version, rights, state of the tables), clock, disk, proxy, ports. It changes nothing.
Exit codes: 0 the service would start, 1 it would not, 2 wrong usage.`,
  )
  .option('--json', 'print one JSON object: the status of each check (ok, warning, error)')
  .action(async (options) => (await import('./doctor.ts')).runDoctor(options));

const supportBundle = createCommand('support-bundle', `${callOf('support-bundle')} [options]`)
  .summary('write what others need to help with a problem into one file')
  .description(
    `Settings without secrets, versions, the checks of doctor, migrations, table sizes, and slow statements with their plans,
as JSON. The service may be running. Exit codes: 0 the file is written, 1 it is not, 2 wrong usage.`,
  )
  .option('--to <file>', 'the path of a new file (default: muster-support-<time>.json)')
  .option('--metrics <url>', 'the address of a running service, whose metrics are added')
  .action(async (options) => (await import('./support-bundle.ts')).runSupportBundle(options));

const settings = createCommand('settings', `${callOf('settings')} [options]`)
  .summary('list every setting with its default and meaning')
  .option('--markdown', 'as the tables of the documentation')
  .action(async (options) => (await import('./settings.ts')).printSettings(options));

const token = createCommand('token', `${callOf('token')} --sub <id> --permissions <a,b> [options]`)
  .summary('print a token that the local service accepts')
  .option('--sub <id>', 'the player UUID, or the id of an account')
  .option(
    '--permissions <a,b>',
    'such as session:update-player:self,sandbox:<sandbox_id>:config:view',
  )
  .option('--ttl <time>', 'how long it is valid: 30s, 15m, 1h, 7d (default 1h)', '1h')
  .option('--platform <name>', 'the platform that the player is on, such as PSN')
  .action(async (options) => (await import('./token.ts')).printToken(options));

const backup = createCommand('backup', `${callOf('backup')} [options]`)
  .summary('write all data of the service into one file')
  .description(
    `Everything that the service keeps, in one file, consistent while the service goes on serving. It reads the
settings of the service: DATABASE_URL, or else the database in DATA_DIR. Keep the file secret: it opens the service.
Exit codes: 0 the file is complete and on the disk, 1 there is no file, 2 wrong usage.`,
  )
  .option('--to <file>', 'the path of the archive (default: backups/muster-<time>.tar)')
  .action(async (options) => (await import('./archive.ts')).runBackup(options));

const restore = createCommand('restore', `${callOf('restore')} --from <file> [options]`)
  .summary('restore such a file into an empty database')
  .description(
    `Into the empty database of DATABASE_URL, or else a DATA_DIR without a database: as a whole, or not at all.
Exit codes: 0 restored, or whole, 1 nothing was changed, 2 wrong usage, 3 restored, but what follows was not finished.`,
  )
  .option('--from <file>', 'the archive')
  .option('--check', 'only read and verify the archive')
  .action(async (options) => (await import('./archive.ts')).runRestore(options));

const OWNER_SETTINGS = `It needs access to the database only: DATABASE_URL, or else the database in DATA_DIR. The service may be running.`;

const ownerList = createCommand('list', callOf('owner list'))
  .summary('list the owners')
  .description(`${OWNER_SETTINGS}\nExit codes: 0 listed, 1 not, 2 wrong usage.`)
  .action(async () => (await import('./owner.ts')).runOwnerList());

const ownerReset = createCommand('reset', `${callOf('owner reset')} [options]`)
  .summary('give an owner who cannot sign in a one-time password')
  .description(
    `It prints a one-time password. It ends every sign-in of the owner, enables a disabled account, and removes the second
factor and the identities of single sign-on. The audit log records it. ${OWNER_SETTINGS}
Exit codes: 0 reset, 1 nothing was changed, 2 wrong usage.`,
  )
  .option('--email <address>', 'the owner; may be left out when there is only one')
  .option('--create', 'make this address an owner, if it is not one')
  .action(async (options) => (await import('./owner.ts')).runOwnerReset(options));

const owner = createCommand('owner', `${callOf('owner')} <list|reset>`)
  .summary('list the owners, or reset the password of one')
  .description('Both commands accept --help.');
for (const command of [ownerList, ownerReset]) owner.addCommand(command);

const maintenanceStatus = createCommand('status', callOf('maintenance status'))
  .summary('print whether maintenance is on, with its reason')
  .description(`${OWNER_SETTINGS}\nExit codes: 0 printed, 1 not, 2 wrong usage.`)
  .action(async () => (await import('./maintenance.ts')).runMaintenanceStatus());

const maintenanceOn = createCommand('on', `${callOf('maintenance on')} [options]`)
  .summary('refuse joins and changes; reads still work')
  .description(
    `All processes follow within three seconds. While it is on, the command changes its reason. The audit log records it.
${OWNER_SETTINGS}
Exit codes: 0 on, 1 nothing was changed, 2 wrong usage.`,
  )
  .option('--reason <text>', 'shown in the web app and in the audit log, not to players')
  .option('--retry-after <seconds>', 'when clients may try again: 1 to 3600 (default 60)')
  .action(async (options) => (await import('./maintenance.ts')).runMaintenanceOn(options));

const maintenanceOff = createCommand('off', callOf('maintenance off'))
  .summary('accept joins and changes again')
  .description(
    `All processes follow within three seconds. The audit log records it. ${OWNER_SETTINGS}
Exit codes: 0 off, 1 nothing was changed, 2 wrong usage.`,
  )
  .action(async () => (await import('./maintenance.ts')).runMaintenanceOff());

const maintenance = createCommand('maintenance', `${callOf('maintenance')} <on|off|status>`)
  .summary('refuse joins and changes for a while')
  .description('Each command accepts --help.');
for (const command of [maintenanceOn, maintenanceOff, maintenanceStatus]) {
  maintenance.addCommand(command);
}

const distribute = createCommand(
  'distribute',
  `DATABASE_URL=postgres://… ${callOf('distribute')} [options]`,
)
  .summary('distribute the schema over a Citus cluster')
  .description(
    `DATABASE_URL names the coordinator of a Citus cluster with the tables of Muster. Stop the services first.
Exit codes: 0 all tables are where they belong, 1 they are not, 2 wrong usage.`,
  )
  .option('--dry-run', 'print the distribution without changing anything; needs no Citus')
  .action(async (options) => (await import('./distribute.ts')).runDistribute(options));

const muster = createCommand('muster', `${callOf('<command>')} [options]`)
  .version(readVersion(), '--version', 'print the version')
  .description(
    'Each command has --help. The settings are environment variables: see the command settings.',
  );
muster.addCommand(serve, { isDefault: true });
const COMMANDS = [
  migrate,
  doctor,
  supportBundle,
  settings,
  token,
  owner,
  maintenance,
  backup,
  restore,
  distribute,
];
for (const command of COMMANDS) muster.addCommand(command);

const fail = (text: string, exitCode: number): void => {
  process.stderr.write(`${text}\n`);
  process.exitCode ??= exitCode;
};

// Without a listener, a failed write ends the process with a stack trace. A closed reader, as with `| head`, is no
// failure.
let isOutputLost = false;
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE' && !isOutputLost) fail(`The output cannot be written: ${message}.`, 1);
  isOutputLost = true;
});
process.stderr.on('error', () => {});

/** Mistyped options do not print the long usages again. */
const LONG_USAGE: readonly Command[] = [backup, restore, muster];

const failUsage = (problem: string): void => {
  const [, , name = ''] = process.argv;
  const command = muster.commands.find((each) => each.name() === name) ?? muster;
  // Commander treats an unknown command as an argument of the default one.
  const isUnknown = command === muster && !name.startsWith('-');
  const said = isUnknown ? `there is no command ${name}` : problem;
  const sentence = said && `${said.charAt(0).toUpperCase()}${said.slice(1)}`;
  const usage = command.helpInformation().trimEnd();
  if (LONG_USAGE.includes(command)) fail(`${sentence} (--help lists the options).`, 2);
  else fail(sentence ? `${sentence}.\n\n${usage}` : usage, 2);
};

try {
  await muster.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    const [problem = ''] = error.message.replace(/^error: /, '').split('\n');
    // Requested help is no failure; the help for a missing command is already printed.
    if (error.code === 'commander.help') process.exitCode = 2;
    else if (error.exitCode !== 0) failUsage(problem);
  } else if (error instanceof UsageError) failUsage(error.message);
  else {
    const { describeFailure } = await import('./describe-failure.ts');
    // Only a fault of this program has a stack trace.
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    fail(describeFailure(error) ?? stack, 1);
  }
}
