import SwiftUI
import WebKit

/// One button that proves, and one that cancels. The web view is a single point of it.
@MainActor
struct ProofView: View {
    /// Made once. With `@State` there would be another web view each time that SwiftUI makes this struct anew.
    @StateObject private var prover = PippinProver(assets: Bundle.main.url(forResource: "www", withExtension: nil)!)
    @State private var text = "Ready"
    @State private var proof: Task<Void, Never>?

    var body: some View {
        VStack(spacing: 16) {
            Text(text)
            Button("Prove") { proof = Task { await prove() } }
            Button("Cancel") { proof?.cancel() }
            WebViewInPlace(view: prover.view).frame(width: 1, height: 1)
        }
        .onAppear {
            // The binding alone: with the whole view in it, the prover would keep itself alive.
            let shown = $text
            prover.onPaused = { _, reason in shown.wrappedValue = "Paused: \(reason)" }
        }
    }

    private func prove() async {
        do {
            let file = Bundle.main.url(forResource: "input", withExtension: "json")!
            let inputs = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
            let result = try await prover.prove("note", inputs: inputs) { text = "\(Int(100 * $0))%" }
            text = "Proved: \(result["publicSignals"] ?? "")"
        } catch {
            text = error.localizedDescription
        }
    }
}

/// Puts the web view into the window.
private struct WebViewInPlace: UIViewRepresentable {
    let view: WKWebView

    func makeUIView(context: Context) -> WKWebView { view }
    func updateUIView(_ view: WKWebView, context: Context) {}
}
