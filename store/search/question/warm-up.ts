import { SearchQuery } from '../contract.ts'
import { parseSearchQuery } from '../parsed-query.ts'
import type { SearchIndex } from '../search-index.ts'
import { createEventLoopYielder } from '../yield-to-event-loop.ts'
import { answerQuestion } from './answer-question.ts'

/** Of every shape: read as filters, mistyped, with words that nothing has, limits, what is not wanted, what something fits. */
const questions = [
  'ddr5 32gb under $200',
  'am5 board with wifi',
  'psu gold or better not corsair',
  'quiet case for 360mm gpu',
  'samsng nvme 2tb foo bar',
  '10 monitors 27 inch 144hz ips for $2000',
  'motherboard for ryzen 5 7600',
  'grafics card rtx without red light',
  'cheapest ssd per tb in stock',
  'keyboard for usb mouse or cable white',
]
/** So often is each asked: code is compiled for good only once it has run for a while. */
const rounds = 5

/**
 * Asks a large index that has just been built some questions before visitors do: the first one would wait until the words of all questions are
 * collected, a tenth of a second, and the next ones run several times slower than later ones.
 */
export async function warmUp(index: SearchIndex): Promise<void> {
  const yieldToEventLoop = createEventLoopYielder()
  for (let round = 0; round < rounds; round++)
    for (const q of questions) {
      answerQuestion(index, parseSearchQuery(SearchQuery.parse({ q })))
      await yieldToEventLoop()
    }
}
