import { ButtonLink } from '#web/button.tsx'
import { EmptyState } from '#web/empty-state.tsx'
import { Page } from '#web/page.tsx'

/** The list of a shop without products. */
export function EmptyCatalogue() {
  return (
    <Page wide title="All tools">
      <EmptyState
        illustration="no-products"
        title="The shelves are empty"
        actions={
          <ButtonLink to="/" variant="quiet">
            Home
          </ButtonLink>
        }
      >
        No product has been added yet. Come back soon.
      </EmptyState>
    </Page>
  )
}
