import { Carousel } from '#web/carousel.tsx'
import type { Brand } from './known-brands.ts'

export function Brands({ brands }: { brands: Brand[] }) {
  return (
    <section aria-labelledby="brands" className="rests-40 flex flex-col gap-4">
      <h2 id="brands" className="text-xl sm:text-2xl">
        Brands on our shelves
      </h2>
      <Carousel label="Brands" className="gap-2">
        {brands.map(({ name, logo }) => (
          <p key={name} className="relative grid h-24 w-36 shrink-0 snap-start place-items-center px-4 text-soft">
            {logo ? (
              <>
                <span className="mark size-16" style={{ maskImage: `url(/brands/${logo}.svg)` }} />
                <span className="sr-only">{name}</span>
              </>
            ) : (
              <span className="text-center text-xl font-semibold">{name}</span>
            )}
          </p>
        ))}
      </Carousel>
    </section>
  )
}
