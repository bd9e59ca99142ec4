// POST /admin/import with the progress of the upload, which fetch does not tell.
import { ApiFailure, readFailure } from '../../api/api-error.ts';
import type { ImportAnswer } from './import-answer.ts';
import type { ImportFormat, ImportKind } from './import-kinds.ts';

export type FileRequest = {
  sandbox: string;
  kind: ImportKind;
  format: ImportFormat;
  bytes: Blob;
  query: Readonly<Record<string, string | number | undefined>>;
};

type Watch = {
  signal: AbortSignal;
  /** Bytes on their way; all of them once the service has the file and works on it. */
  onSent: (bytes: number) => void;
};

const TYPES: Record<ImportFormat, string> = { csv: 'text/csv', ndjson: 'application/x-ndjson' };

/** Rejects with an ApiFailure, or with the reason of the aborted signal. */
export const sendFile = (request: FileRequest, { signal, onSent }: Watch): Promise<ImportAnswer> =>
  new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open('POST', writeUrl(request));
    xhr.setRequestHeader('content-type', TYPES[request.format]);
    xhr.upload.onprogress = ({ loaded }) => onSent(loaded);
    xhr.upload.onload = () => onSent(request.bytes.size);
    xhr.onload = () => void readAnswer(xhr).then(resolve, reject);
    xhr.onerror = () => reject(UNANSWERED);
    xhr.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => xhr.abort(), { once: true });
    if (signal.aborted) reject(signal.reason);
    else xhr.send(request.bytes);
  });

const writeUrl = ({ sandbox, kind, format, query }: FileRequest): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams({ format });
  for (const [name, value] of given) text.set(name, String(value));
  return `/admin/import/${sandbox}/${kind}?${text}`;
};

const readAnswer = async (xhr: XMLHttpRequest): Promise<ImportAnswer> => {
  const headers = new Headers();
  for (const name of ['x-request-id', 'retry-after']) {
    const value = xhr.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  const response = new Response(xhr.responseText, { status: xhr.status, headers });
  if (!response.ok) throw await readFailure(response);
  return response.json();
};

const UNANSWERED = new ApiFailure({
  code: 'unreachable',
  desc: 'The service did not answer. Check the connection; the file is still here.',
  status: 0,
  detail: [],
  facts: {},
});
