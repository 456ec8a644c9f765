import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Icon, type IconName } from './icon.tsx'
import { useMedia } from './media.ts'

const restsMilliseconds = 7000

/** A pointer over it and room for it: a phone's carousel moves only under its owner's thumb. */
const mayMove = '(min-width: 48rem) and (hover: hover) and (prefers-reduced-motion: no-preference)'

type CarouselProps = {
  label: string
  /** what each slide is about: then it says "2 of 5" and reads out the title of the slide that was moved to */
  titles?: string[]
  className?: string
  /** the row that moves: the children's box */
  rowClassName?: string
  controlsClassName?: string
  children: ReactNode
}

/**
 * A row of slides in a box that scrolls by itself, with buttons for it (https://www.w3.org/WAI/ARIA/apg/patterns/carousel/). Without our script it
 * is still a row to scroll. It moves on by itself on wide screens until it is stopped, used or focused, then never again.
 * Written here because every library for it weighs several times as much as the home page may still grow (130 kB in all).
 */
export function Carousel({ label, titles, className = '', rowClassName = '', controlsClassName = '', children }: CarouselProps) {
  const row = useRef<HTMLDivElement>(null)
  const id = useId()
  const aim = useRef<number>(undefined) // where a movement leads that is still under way
  const pointed = useRef(false)
  const [place, setPlace] = useState(0)
  const [stopped, setStopped] = useState(false)
  const moves = useMedia(mayMove) && !stopped

  function move(pages: number) {
    if (!row.current) return
    const { scrollLeft, scrollWidth, clientWidth } = row.current
    const from = aim.current ?? scrollLeft
    const end = scrollWidth - clientWidth
    const past = pages > 0 ? from >= end - 1 : from <= 1
    aim.current = past ? (pages > 0 ? 0 : end) : Math.min(Math.max(from + pages * clientWidth, 0), end)
    row.current.scrollTo({ left: aim.current })
  }

  function look() {
    if (!row.current) return
    const { scrollLeft, clientWidth } = row.current
    if (aim.current !== undefined && Math.abs(scrollLeft - aim.current) < 2) aim.current = undefined
    setPlace(Math.round(scrollLeft / clientWidth))
  }

  function takeOver() {
    aim.current = undefined
    setStopped(true)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: it reads nothing but references
  useEffect(() => {
    if (!moves) return
    const clock = setInterval(() => {
      if (!pointed.current && !document.hidden) move(1)
    }, restsMilliseconds)
    return () => clearInterval(clock)
  }, [moves])

  return (
    <section
      aria-roledescription="carousel"
      aria-label={label}
      onFocus={() => setStopped(true)}
      onPointerEnter={() => {
        pointed.current = true
      }}
      onPointerLeave={() => {
        pointed.current = false
      }}
      className={`flex flex-col ${className}`}
    >
      {/* First in tab order, below the row to the eye. The button stays while it has the focus, which would be lost otherwise. */}
      <div className={`needs-script order-last flex min-h-11 items-center gap-3 ${controlsClassName}`}>
        <button
          type="button"
          onClick={() => setStopped(true)}
          className={`order-last ml-auto flex min-h-11 items-center gap-2 px-2 font-medium ${moves ? '' : 'not-focus:invisible'}`}
        >
          <Icon name={moves ? 'stop' : 'check'} />
          {moves ? 'Stop moving' : 'Stopped'}
        </button>
        <Turn icon="previous" label={`Previous, ${label}`} controls={id} onClick={() => move(-1)} />
        {titles && (
          <p aria-live={moves ? 'off' : 'polite'} className="min-w-14 text-center tabular-nums">
            {place + 1} of {titles.length}
            <span className="sr-only">: {titles[place]}</span>
          </p>
        )}
        <Turn icon="next" label={`Next, ${label}`} controls={id} onClick={() => move(1)} />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: it is grouped by being the row, not as a set of fields */}
      <div
        ref={row}
        id={id}
        role="group"
        aria-label={`${label}, a row to scroll`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard, and slides may hold no link
        tabIndex={0}
        onScroll={look}
        onPointerDown={takeOver}
        onWheel={takeOver}
        className={`row-to-scroll snap-x snap-mandatory ${rowClassName}`}
      >
        {children}
      </div>
    </section>
  )
}

type TurnProps = { icon: IconName; label: string; controls: string; onClick: () => void }

function Turn({ icon, label, controls, onClick }: TurnProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-controls={controls}
      onClick={onClick}
      className="grid size-11 place-items-center rounded border border-current hover:border-2"
    >
      <Icon name={icon} />
    </button>
  )
}
