import { ButtonLink } from '#web/button.tsx'
import { Carousel } from '#web/carousel.tsx'
import type { Slide } from './slides.ts'

/** Carousel of five offers with one link each. The first one explains the shop, since many visitors see no other. */
export function Banner({ slides }: { slides: Slide[] }) {
  return (
    <Carousel
      label="Offers"
      titles={slides.map(({ title }) => title)}
      className="on-board border-t border-trace"
      controlsClassName="mx-auto w-full max-w-page px-4 py-3 sm:px-6 md:pt-0"
    >
      {slides.map((slide, index) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields, this is a slide
        <div
          key={slide.title}
          role="group"
          aria-roledescription="slide"
          aria-label={`${index + 1} of ${slides.length}`}
          className="relative w-full shrink-0 snap-start overflow-hidden"
        >
          <SlideText slide={slide} first={index === 0} />
        </div>
      ))}
    </Carousel>
  )
}

function SlideText({ slide: { title, text, to, link, picture }, first }: { slide: Slide; first: boolean }) {
  const Heading = first ? 'h1' : 'h2'
  return (
    <div className="mx-auto grid h-full max-w-page gap-x-8 px-4 sm:px-6 md:grid-cols-2 lg:grid-cols-[7fr_6fr]">
      <div className="flex flex-col items-start gap-5 pt-8 pb-4 md:py-12">
        <Heading tabIndex={first ? -1 : undefined} className="text-2xl sm:text-3xl lg:text-5xl">
          {title}
        </Heading>
        <p className="max-w-read text-silk-soft sm:text-lg">{text}</p>
        {/* the clickable area of the link is the whole slide */}
        <ButtonLink to={to} className="static! mt-2 after:absolute after:inset-0">
          {link}
        </ButtonLink>
      </div>
      {/* The image starts below the header and fades towards the text. A phone loads the image when its slide is scrolled into view. */}
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
