import { formatNumber } from '#shared/format-number.ts'
import { SearchBox } from '#store/search/screens/search-box.tsx'
import { Link } from '#web/link.tsx'
import { Banner } from './banner.tsx'
import type { Slide } from './slides.ts'

/** Numbers of the catalogue. */
export type CatalogueTotals = { count: number; inStock: number; smallestOrder: number }

type IntroductionProps = { totals: CatalogueTotals; sampleQuestions: string[]; slides: Slide[] }

/** The first screen: what is sold and to whom, a search, and the offers. On a phone the search is that of the header, which stays in view. */
export function Introduction({ totals: { count, inStock, smallestOrder }, sampleQuestions, slides }: IntroductionProps) {
  return (
    <div className="on-board border-t border-trace">
      <div className="mx-auto grid max-w-page gap-x-12 gap-y-8 px-4 pt-8 pb-6 sm:px-6 lg:grid-cols-[7fr_5fr] lg:py-10">
        <div className="flex min-w-0 flex-col items-start justify-center gap-5">
          <h1 tabIndex={-1} className="text-2xl sm:text-3xl lg:text-4xl">
            Computer parts and tools in quantities, for workshops and builders
          </h1>
          <p className="max-w-read text-silk-soft">
            {count > 0
              ? `${formatNumber(count)} products, ${formatNumber(inStock)} of them in stock. Orders start at ${smallestOrder === 1 ? '1 piece' : `${formatNumber(smallestOrder)} pieces`}, and price, stock and minimum stand on every product.`
              : 'Price, stock and minimum stand on every product, before you sign in.'}
          </p>
          <SearchBox className="w-full max-md:hidden" />
          {sampleQuestions.length > 0 && <SampleQuestions questions={sampleQuestions} />}
          <Link to="/allproducts" prefetch="intent" className="flex min-h-11 items-center font-semibold underline underline-offset-4">
            {count > 0 ? `See all ${formatNumber(count)} products` : 'See all products'}
          </Link>
        </div>
        <Banner slides={slides} />
      </div>
    </div>
  )
}

function SampleQuestions({ questions }: { questions: string[] }) {
  return (
    <div className="flex w-full flex-wrap items-center gap-x-3 gap-y-2">
      <p id="sample-questions" className="text-silk-soft">
        Ask in your own words:
      </p>
      <ul aria-labelledby="sample-questions" className="row-to-scroll w-full gap-2 sm:flex-wrap">
        {questions.map((question) => (
          <li key={question}>
            <Link
              to={`/allproducts?q=${encodeURIComponent(question)}`}
              prefetch="intent"
              className="flex min-h-11 items-center rounded border border-trace px-3 text-sm whitespace-nowrap hover:border-silk-soft md:min-h-9"
            >
              {question}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
