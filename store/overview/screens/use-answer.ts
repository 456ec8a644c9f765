import { useEffect, useState } from 'react'
import { Refusal } from '#web/refusal.ts'

/** What a part of a screen has asked for by itself, and how that stands. What was answered before stays until the next answer is here. */
export type Asked<Answer> = {
  answer: Answer | undefined
  refusal: Refusal | undefined
  busy: boolean
  /** asks once more */
  again(): void
}

type State<Answer> = { about: string; answer?: Answer | undefined; refusal?: Refusal; busy: boolean }

/**
 * Asks the store for one part of a screen, so that the others neither wait for it nor fail with it.
 * @param ask the same function each time; what it is to ask about is `about`
 */
export function useAnswer<Answer>(ask: (about: string) => Promise<Answer>, about: string): Asked<Answer> {
  const [state, setState] = useState<State<Answer>>({ about, busy: true })
  const [asked, setAsked] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: asking once more is a change of `asked`
  useEffect(() => {
    let stale = false
    setState((before) => ({ ...before, busy: true }))
    ask(about).then(
      (answer) => stale || setState({ about, answer, busy: false }),
      (refusal) => {
        if (stale) return
        setState((before) => {
          if (!(refusal instanceof Refusal)) throw refusal
          // An answer about something else says nothing here.
          return { about, answer: before.about === about ? before.answer : undefined, refusal, busy: false }
        })
      },
    )
    return () => {
      stale = true
    }
  }, [ask, about, asked])

  return { answer: state.answer, refusal: state.refusal, busy: state.busy, again: () => setAsked(asked + 1) }
}
