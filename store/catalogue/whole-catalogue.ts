import type { Changes } from '#platform/changes.ts'
import { type Http, writerOf } from '#platform/http.ts'
import { answerKeptCall } from '#platform/kept-answer.ts'
import { openPageCache, type Rendered } from '#platform/page-cache.ts'
import type { Places } from '#platform/places.ts'
import { answerStreamed, openReadingOn } from '#platform/streamed-answer.ts'
import { listTools } from './contract.ts'
import type { prepareLookups } from './rules.ts'

type House = {
  lookups: ReturnType<typeof prepareLookups>
  changes: Changes
  /** where open calls read the database */
  reads: Places
}

/** An answer that is no longer than this is kept; a longer one would take too long to write anew after each change. */
const mostKeptBytes = 2 * 1024 * 1024

const contentType = 'application/json; charset=utf-8'
const written = writerOf(listTools.schema.response[200])

/**
 * All products in one answer, which anybody can ask for without end. It is kept as bytes until a product changes. Of a large catalogue it
 * is read a few hundred products at a time; whoever takes it slowly holds no place meanwhile.
 */
export function openWholeCatalogue(app: Http, { lookups, changes, reads }: House) {
  const kept = openPageCache(changes, { maxBytes: 4 * mostKeptBytes })
  const onward = openReadingOn()
  let isTooLong = false

  async function* array(): AsyncGenerator<string, void> {
    const all = lookups.all()
    let { value: some } = await reads.run(() => all.next())
    let bytes = 0
    for (let before = '['; some; before = ',') {
      const piece = before + written(some).slice(1, -1)
      bytes += Buffer.byteLength(piece)
      yield piece
      some = (await onward.run(() => all.next())).value
    }
    isTooLong = bytes > mostKeptBytes
    yield bytes === 0 ? '[]' : ']'
  }

  async function render(): Promise<Rendered> {
    let text = ''
    for await (const piece of array()) {
      text += piece
      isTooLong = text.length > mostKeptBytes
      if (isTooLong) break
    }
    // The index of the search tells `found` when it finds a change of which there was no notice.
    const shows = isTooLong ? undefined : ['tools', 'found']
    return { status: 200, headers: { 'content-type': contentType }, body: Buffer.from(text), shows }
  }

  app.route({
    ...listTools,
    config: { boundsItself: true },
    handler: async (request, reply) => {
      const page = kept.kept(listTools.url) ?? (isTooLong ? undefined : await kept.render(listTools.url, render))
      if (page && !isTooLong) await answerKeptCall(page, request, reply)
      else await answerStreamed(request, reply, contentType, array())
    },
  })
}
