import { ProductImage } from '#store/catalogue/screens/product-image.tsx'
import { Carousel } from '#web/carousel.tsx'
import { Link } from '#web/link.tsx'
import { PriceAndStock } from './home-section.tsx'
import type { OfferedProduct } from './home-sections.ts'
import type { Slide } from './slides.ts'

const titleOf = (slide: Slide) => ('product' in slide ? slide.product.name : slide.title)

/** Carousel of five offers with one link each, which covers its slide. */
export function Banner({ slides }: { slides: Slide[] }) {
  return (
    <Carousel
      label="Offers"
      titles={slides.map(titleOf)}
      className="min-w-0 overflow-hidden rounded bg-panel text-ink"
      rowClassName="grow"
      controlsClassName="border-t border-line px-3 py-1 text-sm"
    >
      {slides.map((slide, index) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields, this is a slide
        <div
          key={'product' in slide ? slide.product._id : slide.title}
          role="group"
          aria-roledescription="slide"
          aria-label={`${index + 1} of ${slides.length}`}
          className="relative w-full shrink-0 snap-start p-4 sm:p-5"
        >
          {'product' in slide ? <ProductSlide {...slide} isFirst={index === 0} /> : <TextSlide {...slide} />}
        </div>
      ))}
    </Carousel>
  )
}

const slideClasses = 'grid h-full grid-cols-[2fr_3fr] items-center gap-4 sm:gap-6 lg:grid-cols-1 lg:content-center lg:gap-3'
const linkClasses = 'underline-offset-4 after:absolute after:inset-0 hover:text-leaf hover:underline'

function ProductSlide({ label, product, isFirst }: { label: string; product: OfferedProduct; isFirst: boolean }) {
  return (
    <div className={slideClasses}>
      <ProductImage product={product} isAboveFold={isFirst} className="aspect-3/2 w-full lg:h-44" />
      <div className="flex min-w-0 flex-col gap-1">
        <p className="text-sm font-semibold text-copper">{label}</p>
        <h2 className="text-base sm:text-lg">
          <Link to={`/products/${product._id}`} prefetch="intent" className={`line-clamp-2 ${linkClasses}`}>
            {product.name}
          </Link>
        </h2>
        <PriceAndStock product={product} priceClassName="text-xl font-semibold text-ink" />
      </div>
    </div>
  )
}

function TextSlide({ title, text, to, link, picture }: { title: string; text: string; to: string; link: string; picture: string }) {
  return (
    <div className={slideClasses}>
      <img
        src={picture}
        alt=""
        width="720"
        height="480"
        loading="lazy"
        className="on-board aspect-3/2 w-full rounded object-cover lg:h-44"
      />
      <div className="flex min-w-0 flex-col gap-1">
        <h2 className="text-base sm:text-lg">{title}</h2>
        <p className="text-sm text-soft">{text}</p>
        <Link to={to} prefetch="intent" className={`mt-1 font-semibold text-copper ${linkClasses}`}>
          {link}
        </Link>
      </div>
    </div>
  )
}
