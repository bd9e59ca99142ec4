import { CopyableId } from '../../../components/ids/copyable-id.tsx';
import { describeFound } from './describe-broken.ts';

/** Hashes and ids are shortened and can be copied; anything else is short enough to be read. */
const LONG = /^[0-9a-f-]{32,}$/;

type FoundValueProps = { label: string; what: string; value: string };

export const FoundValue = ({ label, what, value }: FoundValueProps) =>
  LONG.test(value) ? <CopyableId id={value} label={label} short /> : describeFound(what, value);
