import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Icon, type IconName } from './icon.tsx'
import { useMediaQuery } from './use-media-query.ts'

const slideIntervalMs = 7000

/** Autoplay only on wide screens with a hovering pointer: on a phone the carousel moves only when swiped. */
const autoplayMediaQuery = '(min-width: 48rem) and (hover: hover) and (prefers-reduced-motion: no-preference)'

type CarouselProps = {
  label: string
  /** the title of each slide: adds "2 of 5" and announces the title of the current slide to screen readers */
  titles?: string[]
  className?: string
  /** for the scrolling row that contains the children */
  rowClassName?: string
  controlsClassName?: string
  children: ReactNode
}

/**
 * A scrollable row of slides with buttons (https://www.w3.org/WAI/ARIA/apg/patterns/carousel/). Without JavaScript the row can still be
 * scrolled. Autoplay runs on wide screens until the carousel is stopped, used or focused, and does not resume.
 * Not a library: each one is several times larger than the remaining size budget of the home page (127 kB in all).
 */
export function Carousel({ label, titles, className = '', rowClassName = '', controlsClassName = '', children }: CarouselProps) {
  const id = useId()
  const { row, slideIndex, moves, move, stop, stopForScroll, setHovered, updatePosition } = useSlides()

  return (
    <section
      aria-roledescription="carousel"
      aria-label={label}
      onFocus={stop}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      className={`flex flex-col ${className}`}
    >
      {/* First in tab order, but displayed below the row. The stop button stays visible while focused; hiding it would lose the focus. */}
      <div className={`needs-script order-last flex min-h-11 items-center gap-3 ${controlsClassName}`}>
        <button
          type="button"
          onClick={stop}
          className={`order-last ml-auto flex min-h-11 items-center gap-2 px-2 font-medium ${moves ? '' : 'not-focus:invisible'}`}
        >
          <Icon name={moves ? 'stop' : 'check'} />
          {moves ? 'Stop moving' : 'Stopped'}
        </button>
        <CarouselArrow icon="previous" label={`Previous, ${label}`} controls={id} onClick={() => move(-1)} />
        {titles && (
          <p aria-live={moves ? 'off' : 'polite'} className="min-w-14 text-center tabular-nums">
            {slideIndex + 1} of {titles.length}
            <span className="sr-only">: {titles[slideIndex]}</span>
          </p>
        )}
        <CarouselArrow icon="next" label={`Next, ${label}`} controls={id} onClick={() => move(1)} />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields, this groups slides */}
      <div
        ref={row}
        id={id}
        role="group"
        aria-label={`${label}, a row to scroll`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard, and slides may contain no link
        tabIndex={0}
        onScroll={updatePosition}
        onPointerDown={stopForScroll}
        onWheel={stopForScroll}
        className={`row-to-scroll snap-x snap-mandatory ${rowClassName}`}
      >
        {children}
      </div>
    </section>
  )
}

/** Which slide is shown, and moving on: by pages, or by itself until it is stopped. */
function useSlides() {
  const row = useRef<HTMLDivElement>(null)
  const targetLeft = useRef<number>(undefined) // the `scrollLeft` of a smooth scroll in progress
  const isHovered = useRef(false)
  const [slideIndex, setSlideIndex] = useState(0)
  const [stopped, setStopped] = useState(false)
  const moves = useMediaQuery(autoplayMediaQuery) && !stopped

  function move(pages: number) {
    if (!row.current) return
    const { scrollLeft, scrollWidth, clientWidth } = row.current
    const from = targetLeft.current ?? scrollLeft
    const end = scrollWidth - clientWidth
    const past = pages > 0 ? from >= end - 1 : from <= 1
    targetLeft.current = past ? (pages > 0 ? 0 : end) : Math.min(Math.max(from + pages * clientWidth, 0), end)
    row.current.scrollTo({ left: targetLeft.current })
  }

  function updatePosition() {
    if (!row.current) return
    const { scrollLeft, clientWidth } = row.current
    if (targetLeft.current !== undefined && Math.abs(scrollLeft - targetLeft.current) < 2) targetLeft.current = undefined
    setSlideIndex(Math.round(scrollLeft / clientWidth))
  }

  function stopForScroll() {
    targetLeft.current = undefined
    setStopped(true)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: `move` reads only refs
  useEffect(() => {
    if (!moves) return
    const interval = setInterval(() => {
      if (!isHovered.current && !document.hidden) move(1)
    }, slideIntervalMs)
    return () => clearInterval(interval)
  }, [moves])

  return {
    ...{ row, slideIndex, moves, move, stopForScroll, updatePosition },
    stop: () => setStopped(true),
    setHovered(hovered: boolean) {
      isHovered.current = hovered
    },
  }
}

type CarouselArrowProps = { icon: IconName; label: string; controls: string; onClick: () => void }

function CarouselArrow({ icon, label, controls, onClick }: CarouselArrowProps) {
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
