import { listTools } from '#store/catalogue/contract.ts'
import { onShelf, type ToolOnShelf } from '#store/catalogue/screens/on-shelf.ts'
import { ToolGrid } from '#store/catalogue/screens/tool-grid.tsx'
import { SignedOut } from '#store/identity/screens/signed-out.tsx'
import { listReviews } from '#store/reviews/contract.ts'
import { Reviews } from '#store/reviews/screens/reviews.tsx'
import { ButtonLink } from '#web/button.tsx'
import { door } from '#web/door.ts'
import { send } from '#web/send.ts'
import type { Route } from './+types/home'
import { Hero } from './hero.tsx'
import { HotProducts } from './hot-products.tsx'

export async function loader({ context }: Route.LoaderArgs) {
  const [tools, reviews] = await Promise.all([send(listTools, {}, context.get(door)), send(listReviews, {}, context.get(door))])
  const shelf = tools.map(onShelf)
  return {
    first: shelf.slice(0, 6),
    // without their descriptions, which would make a third of the page
    hot: shelf.slice(10, 100).map(({ description, img, ...tool }) => tool),
    reviews,
    range: {
      count: shelf.length,
      inStock: shelf.filter((tool) => tool.inStock).length,
      smallestOrder: Math.min(...shelf.map((tool) => tool.minimum_order_quantity)),
    },
  }
}

export const headers = () => ({ 'x-shows': 'tools reviews' })

export const meta: Route.MetaFunction = () => [
  { title: 'Nucleus of PC: computer parts and tools in quantities' },
  {
    name: 'description',
    content: 'Computer parts and workshop tools in trade quantities. Price, stock and smallest order stand on every product.',
  },
]

export default function Home({ loaderData: { first, hot, reviews, range } }: Route.ComponentProps) {
  return (
    <main id="main" tabIndex={-1}>
      <SignedOut />
      <Hero range={range} />
      <div className="mx-auto flex max-w-page flex-col gap-16 px-4 py-12 sm:px-6">
        <ToolsAvailable tools={first} />
        {hot.length > 0 && <HotProducts tools={hot} />}
        <Reviews reviews={reviews} />
      </div>
    </main>
  )
}

function ToolsAvailable({ tools }: { tools: ToolOnShelf[] }) {
  return (
    <section aria-labelledby="tools-available" className="flex flex-col gap-6">
      <h2 id="tools-available" className="text-xl sm:text-2xl">
        Tools Available on Our Company Now
      </h2>
      {tools.length > 0 ? (
        <ToolGrid tools={tools} heading="h3" />
      ) : (
        <p className="text-soft">No product has been added yet. Come back soon.</p>
      )}
      <ButtonLink to="/allproducts" look="quiet" className="self-center">
        All Tools Have on Stock
      </ButtonLink>
    </section>
  )
}
