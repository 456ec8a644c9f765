import { momentInWords } from '#store/moment-in-words.ts'

/** A moment as buyers of every country read it: 21 Nov 2026, 14:05 UTC. */
export function When({ at }: { at: string }) {
  return <time dateTime={new Date(at).toISOString()}>{momentInWords(at)}</time>
}
