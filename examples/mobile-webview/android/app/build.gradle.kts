plugins {
    id("com.android.application")
    id("org.jetbrains.kotlin.android")
}

android {
    namespace = "org.example.wallet"
    compileSdk = 35
    defaultConfig {
        applicationId = "org.example.wallet"
        minSdk = 26
        targetSdk = 35
    }
    // Keys do not compress; stored as they are they are read without a copy in memory.
    androidResources { noCompress += listOf("pzkey", "wasm") }
    kotlinOptions { jvmTarget = "17" }
    compileOptions {
        sourceCompatibility = JavaVersion.VERSION_17
        targetCompatibility = JavaVersion.VERSION_17
    }
}

dependencies {
    implementation("androidx.activity:activity-ktx:1.9.3")
    implementation("androidx.lifecycle:lifecycle-runtime-ktx:2.8.7")
    implementation("androidx.webkit:webkit:1.12.1")
    implementation("org.jetbrains.kotlinx:kotlinx-coroutines-android:1.9.0")
}
