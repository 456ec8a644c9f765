export default function Screen() { return <h1>identity/screens/login</h1> }
