// The HAL resources of the broker in memory.
import type { ChosenPact, StoredPact } from './memory-broker-state.ts';

const link = (href: string, templated = false) => ({ href, ...(templated && { templated }) });

export const describeIndex = (base: string): object => ({
  _links: {
    self: link(`${base}/`),
    'pb:provider-pacts-for-verification': link(
      `${base}/pacts/provider/{provider}/for-verification`,
      true,
    ),
    'pb:pacticipant-branch-version': link(
      `${base}/pacticipants/{pacticipant}/branches/{branch}/versions/{version}`,
      true,
    ),
    'pb:pacticipant-version-tag': link(
      `${base}/pacticipants/{pacticipant}/versions/{version}/tags/{tag}`,
      true,
    ),
  },
});

export const describePactList = (base: string, chosen: readonly ChosenPact[]): object => ({
  _embedded: {
    pacts: chosen.map(({ pact, pending, wip }) => ({
      shortDescription: wip ? `wip: ${pact.branch}` : (pact.branch ?? 'latest'),
      verificationProperties: {
        pending,
        ...(wip && { wip }),
        notices: [
          {
            when: 'before_verification',
            text: `The pact of ${pact.consumer} ${pact.consumerVersion} is being verified${pending ? ' and may fail' : ''}.`,
          },
        ],
      },
      _links: { self: link(`${base}/pacts/${pact.id}`) },
    })),
  },
});

export const describePact = (base: string, pact: StoredPact): object => ({
  ...pact.content,
  _links: {
    self: link(`${base}/pacts/${pact.id}`),
    'pb:publish-verification-results': link(`${base}/pacts/${pact.id}/verification-results`),
  },
});
