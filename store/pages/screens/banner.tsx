import { ButtonLink } from '#web/button.tsx'
import { Carousel } from '#web/carousel.tsx'
import type { Slide } from './slides.ts'

/** Five offers, each one link. The first says what is sold, to whom and in what quantities: enough by itself, whoever sees no other. */
export function Banner({ slides }: { slides: Slide[] }) {
  return (
    <Carousel
      label="Offers"
      titles={slides.map(({ title }) => title)}
      className="on-board border-t border-trace"
      controlsClassName="mx-auto w-full max-w-page px-4 py-3 sm:px-6 md:pt-0"
    >
      {slides.map((slide, place) => (
        // biome-ignore lint/a11y/useSemanticElements: a slide is a group by its place, no set of fields
        <div
          key={slide.title}
          role="group"
          aria-roledescription="slide"
          aria-label={`${place + 1} of ${slides.length}`}
          className="relative w-full shrink-0 snap-start overflow-hidden"
        >
          <Words slide={slide} first={place === 0} />
        </div>
      ))}
    </Carousel>
  )
}

function Words({ slide: { title, text, to, link, picture }, first }: { slide: Slide; first: boolean }) {
  const Heading = first ? 'h1' : 'h2'
  return (
    <div className="mx-auto grid h-full max-w-page gap-x-8 px-4 sm:px-6 md:grid-cols-2 lg:grid-cols-[7fr_6fr]">
      <div className="flex flex-col items-start gap-5 pt-8 pb-4 md:py-12">
        <Heading tabIndex={first ? -1 : undefined} className="text-2xl sm:text-3xl lg:text-5xl">
          {title}
        </Heading>
        <p className="max-w-read text-silk-soft sm:text-lg">{text}</p>
        {/* the link's area is the whole slide */}
        <ButtonLink to={to} className="static! mt-2 after:absolute after:inset-0">
          {link}
        </ButtonLink>
      </div>
      {/* The board comes from under the bar and fades towards the words. A phone fetches the picture of a slide that is moved to. */}
      <div className={`max-md:mt-auto ${first ? '' : 'max-md:rests-36'}`}>
        <img
          src={picture}
          alt=""
          width="720"
          height="480"
          loading={first ? 'eager' : 'lazy'}
          fetchPriority={first ? 'high' : 'low'}
          className="w-full max-md:h-36 max-md:object-cover max-md:object-top md:mask-l-from-88% md:mask-l-to-100%"
        />
      </div>
    </div>
  )
}
