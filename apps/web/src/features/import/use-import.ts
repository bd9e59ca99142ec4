// Checks a file. One without problems becomes the draft of a change set, which is previewed and applied as every other one.

import { useEffect, useRef, useState } from 'react';
import { api } from '../../api/client.ts';
import { ApiFailure, toApiError } from '../../api/errors.ts';
import { useUrlValues } from '../../ui/url-state.tsx';
import { discardSet, usePlannedSet } from '../change-sets/planned-set.ts';
import type {
  FileRequest,
  ImportAnswer,
  ImportFormat,
  ImportKind,
  ImportProblem,
  MappedColumns,
} from './import-file.ts';
import { FORMATS, recogniseFormat, sendFile } from './import-file.ts';
import { isWorkbook, readWorkbook } from './read-workbook.ts';

/** Bytes of the file. They are equal while the service reads it. */
export type Work = { sent: number; total: number };

export type Checked = { request: FileRequest; answer: ImportAnswer };

type State = {
  work: Work | null;
  checked: Checked | null;
  /** The columns that the user chose for this file. */
  mapping?: MappedColumns | undefined;
  /** The page can then be left, but nothing on it can be changed. */
  isApplying: boolean;
  /** The change set, once it was applied or submitted. */
  madeSetId?: string;
};

const NOTHING: State = { work: null, checked: null, isApplying: false };

export const useImport = (sandbox: string, source: Source) => {
  const [state, setState] = useState(NOTHING);
  const planned = usePlannedSet(sandbox);
  const controller = useRef<AbortController | null>(null);

  /** Discards the check and its draft. */
  const forget = (next: State = NOTHING) => {
    controller.current?.abort();
    controller.current = null;
    planned.discard();
    setState(next);
  };

  const leave = useRef(() => {});
  useEffect(() => {
    leave.current = () => {
      // The set of an import that is being applied is still needed.
      if (!state.isApplying) forget();
    };
  });
  useEffect(() => () => leave.current(), []);

  /** Null when there is nothing to preview. A set that is returned after the user cancelled is discarded. */
  const makeDraft = async (mapping: MappedColumns | undefined, { signal }: AbortController) => {
    const { kind, format, deletesMissing, reason } = source;
    const query = {
      mode: 'draft',
      title: `Import of ${source.describe()}`.slice(0, MAX_TITLE_LENGTH).toWellFormed(),
      reason: reason.trim() || undefined,
      delete_missing: deletesMissing ? 'true' : undefined,
      columns: mapping ? JSON.stringify(mapping) : 'auto',
    };
    let place: Parameters<typeof discardSet>[0] | null = null;
    try {
      const request = { sandbox, kind, format, query, bytes: await source.read() };
      // Cancelled while the file was read.
      signal.throwIfAborted();
      const total = request.bytes.size;
      const onSent = (sent: number) =>
        setState((old) => ({ ...old, work: { sent: Math.min(sent, total), total } }));
      onSent(0);
      const answer = await sendFile(request, { signal, onSent }).catch(mentionDraft);
      const { change_set_id } = answer;
      place = change_set_id ? { sandbox_id: sandbox, change_set_id } : null;
      const set = place && (await api.changeSets.get.query(place));
      if (!signal.aborted) setState({ ...NOTHING, checked: { request, answer }, mapping });
      return set;
    } catch (error) {
      if (place) await discardSet(place);
      if (signal.aborted) return null;
      setState((old) => ({ ...old, work: null }));
      throw error;
    }
  };

  return {
    ...state,
    set: planned.set,
    error: planned.error,
    /** Without a mapping the columns of the last import and similar names are used. */
    check: (mapping: MappedColumns | undefined = state.mapping) => {
      forget({ ...NOTHING, mapping });
      const own = new AbortController();
      controller.current = own;
      planned.make(() => makeDraft(mapping, own));
    },
    cancel: () => forget({ ...NOTHING, mapping: state.mapping }),
    /** After the user chose another file, kind or option. */
    forget: () => forget(),
    setApplying: (isApplying: boolean) => setState((old) => ({ ...old, isApplying })),
    /** The set has a page of its own, or was applied or submitted. */
    release: (isApplied: boolean) => {
      const id = planned.set?.change_set_id;
      planned.release();
      setState(isApplied && id !== undefined ? { ...NOTHING, madeSetId: id } : NOTHING);
    },
  };
};

/** Without a response it is not known whether the service made the draft. */
const mentionDraft = (error: unknown): never => {
  const facts = toApiError(error);
  const isLost = facts.code === 'unreachable' || facts.status === 502 || facts.status === 504;
  if (!isLost) throw error;
  const desc = `${facts.desc} A draft may have been made; see Change sets.`;
  throw new ApiFailure({ ...facts, desc });
};

const MAX_TITLE_LENGTH = 256;

/** The service's limit. */
const MAX_BYTES = 64 * 1024 * 1024;

export type Source = ReturnType<typeof useSource>;

/** The file or the pasted text. Both are kept when the user switches between them, and after an error. */
export const useSource = () => {
  const values = useUrlValues();
  const [file, setFile] = useState<File | null>(null);
  const [text, setText] = useState('');
  const [reason, setReason] = useState('');
  const isText = values.from === 'text';
  const chosen = values.format as ImportFormat | undefined;
  const recognised = recogniseFormat(isText ? '' : (file?.name ?? ''), isText ? text : '');
  return {
    kind: (values.kind ?? 'item') as ImportKind,
    isText,
    file,
    setFile,
    text,
    setText,
    reason,
    setReason,
    format: isWorkbook(isText ? '' : (file?.name ?? '')) ? 'csv' : (chosen ?? recognised),
    isRecognised: chosen === undefined,
    /** Whether there is a file or a text to detect the format of. */
    isGiven: isText ? text !== '' : file !== null,
    deletesMissing: values.missing === 'delete',
    /** The reason why the source cannot be checked, as an error message for the field. */
    findProblem: (): string | undefined => {
      if (isText) return text.trim() === '' ? 'Paste the rows first.' : undefined;
      if (!file) return 'Choose a file first.';
      if (file.size > MAX_BYTES) return 'The file is larger than 64 MiB. Split it into parts.';
      return file.size === 0 ? 'The file is empty.' : undefined;
    },
    /** Reads the file once, so that later changes on disk do not affect the check. */
    read: async (): Promise<Blob> => {
      if (isText || !file) return new Blob([text]);
      try {
        const bytes = await file.arrayBuffer();
        return new Blob([isWorkbook(file.name) ? await readWorkbook(file.name, bytes) : bytes]);
      } catch (error) {
        throw error instanceof ApiFailure ? error : unreadable(file.name);
      }
    },
    describe: (): string => (isText ? 'the pasted rows' : (file?.name ?? 'the file')),
    formatName: !isText && isWorkbook(file?.name ?? '') ? 'Excel workbook' : FORMATS[recognised],
  };
};

const unreadable = (name: string): ApiFailure =>
  new ApiFailure({
    code: 'page_error',
    desc: `${name} can no longer be read: it has changed or moved since it was chosen. Choose it again.`,
    status: 0,
  });

/** Each request plans the file again, so the number of them is limited. */
const MAX_ERROR_PAGES = 20;

/** All problems of a file: the answer has the first thousand. */
export const readProblems = async ({ request, answer }: Checked): Promise<ImportProblem[]> => {
  const problems = [...answer.errors];
  const signal = AbortSignal.timeout(60_000);
  for (let page = 1; page < MAX_ERROR_PAGES && problems.length < answer.error_count; page += 1) {
    const query = { ...request.query, mode: 'dry_run', errors_from: problems.length };
    const { errors } = await sendFile({ ...request, query }, { signal, onSent: () => {} });
    if (errors.length === 0) break;
    problems.push(...errors);
  }
  return problems;
};
