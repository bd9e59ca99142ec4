// The workflows, held against actionlint; what a release does when it is repeated; and the ways in which consumer teams verify pacts in CI, each run as its CI runs it.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT, report } from '../setup/repository.mjs';

const ACTION = join(ROOT, 'actions/verify-pacts');
const KIT = join(ROOT, 'packages/pact-kit/src/cli/main.ts');
const ACTIONLINT = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.7';

const folder = mkdtempSync(join(tmpdir(), 'muster-workflows-'));
// Root's PostgreSQL runs as another user, who has to pass through.
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const findActionlint = (): string | null => {
  if (spawnSync('actionlint', ['--version']).status === 0) return 'actionlint';
  const env = { ...process.env, GOBIN: folder, GOFLAGS: '-buildvcs=false' };
  if (spawnSync('go', ['install', ACTIONLINT], { env }).status === 0) {
    return join(folder, 'actionlint');
  }
  report(
    'The workflows are not held against actionlint: it is not installed, and there is no Go to build it.',
  );
  return null;
};
const actionlint = findActionlint();

it.runIf(actionlint)(
  'has no workflow that actionlint criticises (left out without actionlint or Go)',
  () => {
    const { status, stdout } = spawnSync(`${actionlint}`, ['-no-color'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect(status, stdout).toBe(0);
  },
);

type Run = { code: number; out: string; err: string };

const run = async (command: string, args: string[], env: NodeJS.ProcessEnv): Promise<Run> => {
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...env } });
  let [out, err] = ['', ''];
  child.stdout.on('data', (part) => (out += part));
  child.stderr.on('data', (part) => (err += part));
  const [code] = await once(child, 'close');
  return { code, out, err };
};

/** A consumer's project with one pact that is kept and one that is not; `npx` gives the kit of this commit. */
beforeAll(() => {
  for (const name of ['bin', 'pacts', 'broken']) mkdirSync(join(folder, name));
  writeFileSync(
    join(folder, 'bin/npx'),
    `#!/bin/sh
[ "$1" = --yes ] || exit 97
case $2 in --package=@muster/pact-kit | --package=@muster/pact-kit@*) ;; *) exit 98 ;; esac
[ "$3" = muster-pact ] || exit 99
shift 3
exec '${process.execPath}' '${KIT}' "$@"
`,
    { mode: 0o755 },
  );
  const pact = join(ROOT, 'contracts/pacts/history-mirror-muster.json');
  copyFileSync(pact, join(folder, 'pacts/kept.json'));
  writeFileSync(
    join(folder, 'broken/broken.json'),
    readFileSync(pact, 'utf8').replaceAll('/v1/history/', '/v9/history/'),
  );
});

const PATH = [join(folder, 'bin'), process.env.PATH].join(delimiter);

describe('the action', () => {
  const verify = async (inputs: Record<string, string>) => {
    const [summary, output] = [join(folder, 'summary.md'), join(folder, 'output')];
    for (const file of [summary, output]) writeFileSync(file, '');
    const { runs } = parse(readFileSync(join(ACTION, 'action.yml'), 'utf8'));
    const [step] = runs.steps;
    const env = Object.fromEntries(
      Object.entries(step.env as Record<string, string>).map(([name, text]) => [
        name,
        inputs[/inputs\.([\w-]+)/.exec(text)?.[1] ?? ''] ?? '',
      ]),
    );
    const places = { GITHUB_ACTION_PATH: ACTION, GITHUB_STEP_SUMMARY: summary };
    const outcome = await run('bash', ['-e', '-o', 'pipefail', '-c', step.run], {
      ...env,
      ...places,
      PATH,
      GITHUB_OUTPUT: output,
      GITHUB_WORKSPACE: folder,
    });
    return {
      ...outcome,
      summary: readFileSync(summary, 'utf8'),
      output: readFileSync(output, 'utf8'),
    };
  };

  it('passes a pact that the service keeps, with a summary', async () => {
    const { code, summary, output, err } = await verify({ pacts: 'pacts/' });
    expect([code, output], err).toEqual([0, 'verdict=passed\n']);
    expect(summary).toMatch(/^## Pacts: passed\n[\s\S]*history-mirror/);
  });

  it('fails with an annotation at the file for a pact that the service breaks', async () => {
    const { code, summary, output, out } = await verify({ pacts: 'broken/broken.json' });
    expect([code, output], out).toEqual([1, 'verdict=failed\n']);
    expect(out).toMatch(/^::error file=broken\/broken\.json/m);
    expect(summary).toContain('## Pacts: failed');
  });

  it('says that nothing was verified, takes no input for code, and expands no pattern', async () => {
    const { code, output, out } = await verify({ pacts: `$(touch${'\t'}${folder}/ran) pacts/*` });
    expect([code, output]).toEqual([2, 'verdict=unusable\n']);
    expect(out).toMatch(/^::error title=Pacts::/m);
    expect(spawnSync('test', ['-e', join(folder, 'ran')]).status).toBe(1);
  });
});

const GITLAB = parse(readFileSync(join(ACTION, 'gitlab-ci.yml'), 'utf8'))['verify-pacts'];
const JENKINS = /\bsh '([^']+)'/.exec(readFileSync(join(ACTION, 'Jenkinsfile'), 'utf8'));

describe.each([
  { name: 'GitLab', script: (GITLAB.script as string[]).join('\n') },
  { name: 'Jenkins', script: `${JENKINS?.[1]}` },
])('the job of $name', ({ script }) => {
  it('leaves test results, and ends as the kit does', async () => {
    const passed = await run('sh', ['-e', '-c', script], { PATH, PACTS: 'pacts/' });
    expect(passed.code, passed.err).toBe(0);
    expect(readFileSync(join(folder, 'muster-pacts.xml'), 'utf8')).toMatch(/<testsuites?\b/);
    const failed = await run('sh', ['-e', '-c', script], { PATH, PACTS: 'broken/' });
    expect(failed.code, failed.err).toBe(1);
  });
});

describe('the release', () => {
  const { jobs, defaults } = parse(
    readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8'),
  );
  beforeAll(() =>
    cpSync(join(ROOT, 'scripts/release'), join(folder, 'scripts/release'), { recursive: true }),
  );
  const scriptOf = (job: string, id: string): string =>
    jobs[job].steps.find((step: { id?: string }) => step.id === id).run;

  /** Writes a program that notes how it was called, and otherwise does this. */
  const fake = (name: string, body: string): string => {
    const bin = mkdtempSync(join(folder, `${name}-`));
    writeFileSync(join(bin, 'calls'), '');
    const note = `printf '%s ' "$@" >> '${bin}/calls'; echo >> '${bin}/calls'`;
    writeFileSync(join(bin, name), `#!/bin/sh\n${note}\n${body}\n`, { mode: 0o755 });
    return bin;
  };
  /** Answers, beside a program, with the tags of these versions, as `git ls-remote` does. */
  const fakeTags = (bin: string, ...versions: string[]): string => {
    const line = `printf '0\\trefs/tags/v%s\\n' ${versions.join(' ')}`;
    writeFileSync(join(bin, 'git'), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
    return bin;
  };
  /** As GitHub runs a script: one whose shell is named fails with any part of a pipe. */
  const SHELL_OPTIONS = defaults?.run?.shell === 'bash' ? ['-e', '-o', 'pipefail'] : ['-e'];
  const release = async (bin: string, script: string, env: NodeJS.ProcessEnv) => {
    const path = [bin, process.env.PATH].join(delimiter);
    const outcome = await run('bash', [...SHELL_OPTIONS, '-c', script], {
      ...env,
      PATH: path,
    });
    return { ...outcome, calls: readFileSync(join(bin, 'calls'), 'utf8').trim().split(/ *\n/) };
  };

  it.each([
    { VERSION: '1.10.0', channel: 'latest' },
    { VERSION: '1.9.1', channel: 'release-1.9' },
    { VERSION: '1.11.0-rc.1', channel: 'next' },
  ])(
    'has the channel $channel for $VERSION, where 1.10.0 is the highest version that was released',
    async ({ VERSION, channel }) => {
      const output = join(folder, 'output');
      writeFileSync(output, '');
      const bin = fakeTags(fake('gh', 'exit 0'), '1.9.0', '1.10.0', '1.9.1', '1.11.0-rc.1');
      const env = { VERSION, GITHUB_OUTPUT: output };
      const { code, err } = await release(bin, scriptOf('artefacts', 'channel'), env);
      expect([code, readFileSync(output, 'utf8')], err).toEqual([0, `channel=${channel}\n`]);
    },
  );

  it('publishes the packages that the registry does not have yet on their channel, and no other again', async () => {
    const bin = fakeTags(fake('npm', '[ "$2" != @muster/client@1.9.1 ] || echo 1.9.1'), '1.10.0');
    const env = { VERSION: '1.9.1' };
    const { code, calls } = await release(bin, scriptOf('npm', 'publish'), env);
    expect(code).toBe(0);
    expect(calls.filter((call) => call.startsWith('publish'))).toEqual(
      ['contract', 'admin-client', 'pact-kit', 'server'].map(
        (name) =>
          `publish ./dist/muster-${name}-1.9.1.tgz --provenance --access public --tag release-1.9`,
      ),
    );
  });

  it.each([
    ['1.9.1', 'latest'],
    ['1.10.0', 'release-1.9'],
  ])('publishes 1.9.1 late, where %s is the latest, as %s', async (newest, tag) => {
    const bin = fakeTags(fake('npm', 'exit 0'), '1.9.0', newest, '1.11.0-rc.1');
    const env = { VERSION: '1.9.1' };
    const { calls } = await release(bin, scriptOf('npm', 'publish'), env);
    expect(calls.at(-1)).toMatch(new RegExp(` --tag ${tag}$`));
  });

  const GITHUB = {
    VERSION: '1.2.3',
    GITHUB_REPOSITORY: 'Studio/Muster',
    GITHUB_REPOSITORY_OWNER: 'Studio',
    GITHUB_ACTOR: 'somebody',
    TOKEN: 'secret',
  };

  it('builds no image whose tag is published', async () => {
    const output = join(folder, 'output');
    const look = async (status: number) => {
      writeFileSync(output, '');
      const env = { ...GITHUB, GITHUB_OUTPUT: output };
      const bin = fake('docker', `exit ${status}`);
      const { code, calls } = await release(bin, scriptOf('image', 'published'), env);
      expect([code, calls]).toEqual([0, ['buildx imagetools inspect ghcr.io/studio/muster:1.2.3']]);
      return readFileSync(output, 'utf8').trim().split('\n');
    };
    expect(await look(1)).toEqual(['image=ghcr.io/studio/muster']);
    expect(await look(0)).toEqual(['image=ghcr.io/studio/muster', 'found=true']);
    const build = jobs.image.steps.find((step: { uses?: string }) =>
      step.uses?.startsWith('docker/build-push-action'),
    );
    expect(build.if).toBe("steps.published.outputs.found != 'true'");
    expect(build.with.tags).not.toContain('latest');
  });

  it('pushes the chart once', async () => {
    const push = async (isPublished: boolean) => {
      // Like Helm, it reads the password before it ends.
      const reads = 'if [ "$1" = registry ]; then cat > /dev/null; fi';
      const bin = fake('helm', `${reads}\n[ "$1" != show ] || exit ${isPublished ? 0 : 1}`);
      const { code, calls } = await release(bin, scriptOf('chart', 'push'), GITHUB);
      expect(code).toBe(0);
      return calls.filter((call) => call.startsWith('push'));
    };
    expect(await push(false)).toEqual([
      'push dist/muster-chart-1.2.3.tgz oci://ghcr.io/studio/charts',
    ]);
    expect(await push(true)).toEqual([]);
  });

  it('moves the image and the site, which people get without asking, on the channel latest alone', () => {
    const isLatest = "needs.artefacts.outputs.channel == 'latest'";
    const latest = jobs.image.steps.find((step: { id?: string }) => step.id === 'latest');
    expect([latest.if, jobs.site.if]).toEqual([isLatest, isLatest]);
  });

  it.each([
    { newest: '1.10.0', channel: 'latest' },
    { newest: '1.11.0', channel: 'release-1.10' },
  ])(
    'deploys the site of 1.10.0 again on the channel latest alone: $channel where $newest is released',
    async (each) => {
      const output = join(folder, 'output');
      writeFileSync(output, '');
      const bin = fakeTags(fake('gh', 'exit 0'), '1.9.0', each.newest, '1.12.0-rc.1');
      const env = { VERSION: '1.10.0', GITHUB_OUTPUT: output };
      const { code, err } = await release(bin, scriptOf('site', 'now'), env);
      expect([code, readFileSync(output, 'utf8')], err).toEqual([0, `channel=${each.channel}\n`]);
      const deploy = jobs.site.steps.at(-1);
      expect([deploy.id, deploy.if]).toEqual(['deploy', "steps.now.outputs.channel == 'latest'"]);
    },
  );

  it('is announced with the files, and the section of the change log', async () => {
    mkdirSync(join(folder, 'dist'));
    writeFileSync(join(folder, 'dist/a.tgz'), 'a');
    const sums = `${createHash('sha256').update('a').digest('hex')}  a.tgz\n`;
    writeFileSync(join(folder, 'dist/SHA256SUMS'), sums);
    const log = '## [1.2.3] - 2026-01-01\n\n- Joins.\n\n## [1.2.2] - 2025-12-01\n\n- Seats.\n';
    writeFileSync(join(folder, 'CHANGELOG.md'), log);
    const announce = (version: string, hasRelease: boolean, newest = '1.2.3') =>
      release(
        fakeTags(fake('gh', `[ "$2" != view ] || exit ${hasRelease ? 0 : 1}`), '1.2.2', newest),
        scriptOf('github', 'announce'),
        { VERSION: version, GITHUB_REF_NAME: `v${version}` },
      );
    const first = await announce('1.2.3', false);
    expect([first.code, first.calls.at(-1)], first.err).toEqual([
      0,
      'release create v1.2.3 dist/SHA256SUMS dist/a.tgz --verify-tag --title Muster 1.2.3 --notes-file notes.md --latest',
    ]);
    expect(readFileSync(join(folder, 'notes.md'), 'utf8').trim()).toBe('- Joins.');
    const late = await announce('1.2.3', false, '1.3.0');
    expect(late.calls.at(-1)).toMatch(/^release create v1\.2\.3 .* --latest=false$/);
    const repair = await announce('1.2.2', false);
    expect(repair.calls.at(-1)).toMatch(/^release create v1\.2\.2 .* --latest=false$/);
    writeFileSync(join(folder, 'CHANGELOG.md'), `## [Unreleased]\n\n- Teams.\n\n${log}`);
    const early = await announce('1.3.0-rc.1', false);
    expect(early.calls.at(-1)).toMatch(
      /^release create v1\.3\.0-rc\.1 .* --prerelease --latest=false$/,
    );
    expect(readFileSync(join(folder, 'notes.md'), 'utf8').trim()).toBe('- Teams.');
    const again = await announce('1.2.3', true);
    expect(again.calls.slice(-2)).toEqual([
      'release upload v1.2.3 dist/SHA256SUMS dist/a.tgz --clobber',
      'release edit v1.2.3 --draft=false --latest',
    ]);
    writeFileSync(join(folder, 'dist/a.tgz'), 'changed on the way');
    expect((await announce('1.2.3', true)).code).not.toBe(0);
  });

  it('is published nowhere while it is not known which version is the latest', async () => {
    const bin = fake('npm', 'exit 0');
    writeFileSync(join(bin, 'git'), '#!/bin/sh\nexit 128\n', { mode: 0o755 });
    const env = { VERSION: '1.2.3' };
    const outcome = await release(bin, scriptOf('npm', 'publish'), env);
    expect(outcome.code).not.toBe(0);
    expect(outcome.calls).toEqual(['']);
  });

  it('is not announced without a section of the change log', async () => {
    writeFileSync(join(folder, 'CHANGELOG.md'), '## [Unreleased]\n\n- Joins.\n');
    const bin = fakeTags(fake('gh', 'exit 0'), '9.9.9');
    const env = { VERSION: '9.9.9', GITHUB_REF_NAME: 'v9.9.9' };
    const { code, out, calls } = await release(bin, scriptOf('github', 'announce'), env);
    expect([code, out, calls]).toEqual([1, expect.stringContaining('no section 9.9.9'), ['']]);
  });
});
