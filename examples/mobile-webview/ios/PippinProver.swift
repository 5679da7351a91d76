import Combine
import Foundation
import UIKit
import WebKit

/// A failure that the page told, by the codes of PippinError.
struct PippinFailure: LocalizedError {
    let code: String
    let message: String
    let hint: String?

    var errorDescription: String? { message }
    var recoverySuggestion: String? { hint }
}

/// Shows the page of `examples/mobile-webview` and asks it for proofs.
///
/// `view` must be in a window, and at least one point large: WebKit suspends a web view that is in none, or has no area.
@MainActor
final class PippinProver: NSObject, ObservableObject {
    private struct Waiting {
        /// Which call it is: another one may have the same id later.
        let call: Int
        /// The message that asks for it.
        let request: String
        let onProgress: (Double) -> Void
        let continuation: CheckedContinuation<[String: Any], Error>
        var asked = 0
        /// The fraction that was told. A page that was loaded again begins again, and does not fall behind it.
        var reached = 0.0
        /// The last page that was asked.
        var page: String?
        /// Ends the time for which it waits for a page.
        var timeout: Task<Void, Never>?
    }

    let view: WKWebView
    /// Called when a proof is paused, with its id and the reason.
    var onPaused: (String, String) -> Void = { _, _ in }

    private var waiting: [String: Waiting] = [:]
    /// By id, how many ends the page still tells of calls that were cancelled: a later call with the same id must not take them for its own. Each has
    /// two, its own and the answer to `cancel`; ABORTED is both at once.
    private var cancelledEnds: [String: Int] = [:]
    private var calls = 0
    private var page: String?
    private var isVisible = true

    private static let version = 1
    private static let resends = 2
    /// The most characters of a message, counted as JavaScript does: in UTF-16.
    private static let maxLength = 4_194_304
    /// What an id may be. `$` would let a line feed follow.
    private static let idPattern = "\\A[A-Za-z0-9_.:-]{1,128}\\z"
    private static let readyNanoseconds: UInt64 = 60_000_000_000

    init(assets: URL) {
        let configuration = WKWebViewConfiguration()
        configuration.setURLSchemeHandler(AssetSchemeHandler(folder: assets), forURLScheme: AssetSchemeHandler.scheme)
        // Lasting storage: prepared keys, and results that were made before the page was loaded again.
        configuration.websiteDataStore = .default()
        if #available(iOS 17.0, *) {
            // Without it a view that leaves its window is suspended at once.
            configuration.preferences.inactiveSchedulingPolicy = .throttle
        }
        view = WKWebView(frame: CGRect(x: 0, y: 0, width: 1, height: 1), configuration: configuration)
        super.init()
        // `isInspectable` stays false in releases: the inspector sees inputs.
        let handler = WeakMessageHandler(self)
        configuration.userContentController.add(handler, contentWorld: .page, name: "pippinHost")
        view.navigationDelegate = self
        let center = NotificationCenter.default
        center.addObserver(self, selector: #selector(enteredBackground), name: UIApplication.didEnterBackgroundNotification, object: nil)
        center.addObserver(self, selector: #selector(enteringForeground), name: UIApplication.willEnterForegroundNotification, object: nil)
        center.addObserver(self, selector: #selector(warnedOfMemory), name: UIApplication.didReceiveMemoryWarningNotification, object: nil)
        load()
    }

    /// Proves, and waits until the proof is there. Cancelling the task cancels the proof. An app that may be ended in mid-proof keeps `id` with its
    /// transaction and asks with it again.
    ///
    /// - Returns: `proof` and `publicSignals` in snarkjs' form, and `backend`, `ms`, `attempts`.
    /// - Throws: `PippinFailure` with the page's code; INVALID_ARGUMENT for an id that is not 1 to 128 letters, digits or `_.:-`, or is waited for already.
    func prove(
        _ circuit: String,
        inputs: [String: Any],
        id: String = UUID().uuidString,
        onProgress: @escaping (Double) -> Void = { _ in }
    ) async throws -> [String: Any] {
        // The page cannot read such an id, and would answer without one.
        guard id.range(of: Self.idPattern, options: .regularExpression) != nil else {
            let hint = "use 1 to 128 letters, digits or characters of _.:-, such as a UUID"
            throw PippinFailure(code: "INVALID_ARGUMENT", message: "the id has another form than the page takes", hint: hint)
        }
        guard let request = encode(["type": "prove", "id": id, "circuit": circuit, "inputs": inputs]) else {
            throw PippinFailure(code: "INVALID_INPUT", message: "the inputs are no JSON", hint: "give numbers beyond 2^53 as strings")
        }
        guard request.utf16.count <= Self.maxLength else {
            throw PippinFailure(code: "INVALID_LENGTH", message: "the inputs are too long for a message", hint: nil)
        }
        calls += 1
        let call = calls
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard waiting[id] == nil else {
                    let hint = "wait for the first call"
                    continuation.resume(throwing: PippinFailure(code: "INVALID_ARGUMENT", message: "this id is waited for already", hint: hint))
                    return
                }
                waiting[id] = Waiting(call: call, request: request, onProgress: onProgress, continuation: continuation)
                if page != nil { ask(id) } else { awaitPage(id) }
            }
        } onCancel: {
            Task { @MainActor in self.cancel(id, call: call) }
        }
    }

    private func cancel(_ id: String, call: Int) {
        guard waiting[id]?.call == call, let entry = take(id) else { return }
        entry.continuation.resume(throwing: CancellationError())
        guard page != nil, entry.page == page else { return }
        cancelledEnds[id, default: 0] += 2
        send(["type": "cancel", "id": id])
    }

    /// Takes note of an end that the page tells; true if it is that of a call that was cancelled.
    private func isOfCancelled(_ id: String, code: String?) -> Bool {
        guard let ends = cancelledEnds.removeValue(forKey: id) else { return false }
        let rest = ends - (code == "ABORTED" ? 2 : 1)
        if rest > 0 { cancelledEnds[id] = rest }
        return true
    }

    private func load() {
        leave()
        view.load(URLRequest(url: AssetSchemeHandler.page))
    }

    private func leave() {
        page = nil
        cancelledEnds = [:]
        for id in waiting.keys { awaitPage(id) }
    }

    /// What waits for a page gives up after a while. Time in the background does not count: the system may have stopped the page.
    private func awaitPage(_ id: String) {
        waiting[id]?.timeout?.cancel()
        guard isVisible else { return }
        waiting[id]?.timeout = Task { [weak self] in
            do { try await Task.sleep(nanoseconds: Self.readyNanoseconds) } catch { return }
            let hint = "see that the page loads and its script runs"
            let failure = PippinFailure(code: "PROVER_LOST", message: "no page was ready in time", hint: hint)
            self?.take(id)?.continuation.resume(throwing: failure)
        }
    }

    /// A proof that is waited for no more.
    private func take(_ id: String) -> Waiting? {
        let entry = waiting.removeValue(forKey: id)
        entry?.timeout?.cancel()
        return entry
    }

    fileprivate func receive(_ text: String) {
        guard let message = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
              message["pippin"] as? Int == Self.version, let type = message["type"] as? String else { return }
        let id = message["id"] as? String ?? ""
        switch type {
        case "ready":
            ready(message["page"] as? String ?? "")
        case "leaving":
            leave()
        case "state":
            if message["state"] as? String == "paused" { onPaused(id, message["reason"] as? String ?? "") }
        case "progress":
            guard cancelledEnds[id] == nil, var entry = waiting[id] else { return }
            entry.reached = max(entry.reached, message["fraction"] as? Double ?? 0)
            waiting[id] = entry
            entry.onProgress(entry.reached)
        case "result":
            // One that nobody here has asked for yet stays with the page.
            guard !isOfCancelled(id, code: nil), let entry = take(id) else { return }
            entry.continuation.resume(returning: message)
            send(["type": "forget", "id": id])
        case "failed":
            guard !isOfCancelled(id, code: message["code"] as? String) else { return }
            let failure = PippinFailure(
                code: message["code"] as? String ?? "INTERNAL",
                message: message["message"] as? String ?? "",
                hint: message["hint"] as? String
            )
            take(id)?.continuation.resume(throwing: failure)
        default:
            break
        }
    }

    /// A new page is asked for all that is waited for: the ids say which proofs are the same.
    private func ready(_ name: String) {
        if name == page { return }
        page = name
        cancelledEnds = [:]
        send(["type": "visibility", "visible": isVisible])
        for id in waiting.keys { ask(id) }
    }

    private func ask(_ id: String) {
        guard var entry = waiting[id] else { return }
        entry.timeout?.cancel()
        entry.asked += 1
        entry.page = page
        waiting[id] = entry
        if entry.asked <= Self.resends + 1 {
            sendText(entry.request)
        } else {
            _ = take(id)
            let failure = PippinFailure(code: "INTERRUPTED", message: "the page was lost too often", hint: nil)
            entry.continuation.resume(throwing: failure)
        }
    }

    private func send(_ message: [String: Any]) {
        if let text = encode(message) { sendText(text) }
    }

    /// The text of a message; nil for values that JSON does not have, which JSONSerialization would end the app for.
    private func encode(_ message: [String: Any]) -> String? {
        let versioned = message.merging(["pippin": Self.version]) { own, _ in own }
        guard JSONSerialization.isValidJSONObject(versioned), let data = try? JSONSerialization.data(withJSONObject: versioned) else { return nil }
        return String(data: data, encoding: .utf8)
    }

    /// The message is an argument and not part of the script, so that nothing in it can be run.
    private func sendText(_ text: String) {
        guard page != nil else { return }
        view.callAsyncJavaScript("pippinReceive(text)", arguments: ["text": text], in: nil, in: .page, completionHandler: nil)
    }

    private func setVisible(_ visible: Bool) {
        isVisible = visible
        if page == nil { leave() } else { send(["type": "visibility", "visible": visible]) }
    }

    /// iOS suspends the page's process some seconds after this, and ends GPU work of apps in the background.
    @objc private func enteredBackground() { setVisible(false) }
    @objc private func enteringForeground() { setVisible(true) }
    @objc private func warnedOfMemory() { send(["type": "trim", "level": "moderate"]) }
}

extension PippinProver: WKNavigationDelegate {
    /// The page leads nowhere else.
    func webView(_ webView: WKWebView, decidePolicyFor action: WKNavigationAction, decisionHandler: @escaping (WKNavigationActionPolicy) -> Void) {
        let url = action.request.url
        decisionHandler(url?.scheme == AssetSchemeHandler.scheme && url?.host == AssetSchemeHandler.host ? .allow : .cancel)
    }

    /// The page's process died or was killed for its memory. What is waited for is asked for again when the new page is ready.
    func webViewWebContentProcessDidTerminate(_ webView: WKWebView) {
        load()
    }
}

/// The controller keeps its handlers, so that one that is the owner of the web view would never be freed.
private final class WeakMessageHandler: NSObject, WKScriptMessageHandler {
    private weak var prover: PippinProver?

    init(_ prover: PippinProver) {
        self.prover = prover
    }

    func userContentController(_ controller: WKUserContentController, didReceive message: WKScriptMessage) {
        let origin = message.frameInfo.securityOrigin
        guard message.frameInfo.isMainFrame, origin.protocol == AssetSchemeHandler.scheme, origin.host == AssetSchemeHandler.host,
              let text = message.body as? String else { return }
        prover?.receive(text)
    }
}
