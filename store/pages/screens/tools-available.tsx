import type { ToolOnShelf } from '#store/catalogue/screens/on-shelf.ts'
import { ToolGrid } from '#store/catalogue/screens/tool-grid.tsx'
import { ButtonLink } from '#web/button.tsx'
import { Empty } from '#web/empty.tsx'

export function ToolsAvailable({ tools }: { tools: ToolOnShelf[] }) {
  return (
    <section aria-labelledby="tools-available" className="flex flex-col gap-6">
      <h2 id="tools-available" className="text-xl sm:text-2xl">
        Tools Available on Our Company Now
      </h2>
      {tools.length > 0 ? (
        <ToolGrid tools={tools} heading="h3" inFirstView={0} />
      ) : (
        <Empty scene="no-products" title="No product has been added yet" heading="h3">
          Come back soon: what is added is for sale at once.
        </Empty>
      )}
      <ButtonLink to="/allproducts" look="quiet" className="self-center">
        All Tools Have on Stock
      </ButtonLink>
    </section>
  )
}
